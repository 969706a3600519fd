"""What an ability gives is read as it is written, and anything else is refused in one sentence."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tracker.games.api.asset_abilities import Gift, Give, gift, written

HIT = ("strong_hit", "weak_hit")
READ = {
    "+1 face_danger": Gift(((Give("add", points=1),),), ("face_danger",)),
    "+2 any": Gift(((Give("add", points=2),),), ("any",)),
    "-1 strike": Gift(((Give("add", points=-1),),), ("strike",)),
    "reroll strike": Gift(((Give("reroll", "any"),),), ("strike",)),
    "reroll any": Gift(((Give("reroll", "any"),),), ("any",)),
    "shadow +2 to 4 use": Gift(((Give("change", "shadow", 2, highest=4),),), ("use",)),
    "reroll all sojourn": Gift(((Give("reroll", "all"),),), ("sojourn",)),
    "reroll action strike/clash": Gift(((Give("reroll", "action"),),), ("strike", "clash")),
    "reroll one_challenge fulfill_your_vow on miss": Gift(
        ((Give("reroll", "one_challenge"),),), ("fulfill_your_vow",), outcomes=("miss",)
    ),
    "+1 face_danger with edge/iron": Gift(
        ((Give("add", points=1),),), ("face_danger",), stats=("edge", "iron")
    ),
    "+its wealth any if its wealth": Gift(
        ((Give("add", points=1, source="its wealth"),),), ("any",), needs=(("its wealth", True),)
    ),
    "roll heart strike": Gift(((Give("roll", "heart"),),), ("strike",)),
    "roll its health make_camp": Gift(((Give("roll", "its health"),),), ("make_camp",)),
    "roll 3 strike": Gift(((Give("roll", points=3),),), ("strike",)),
    "momentum +1 strike on hit": Gift(((Give("change", "momentum", 1),),), ("strike",), outcomes=HIT),
    "momentum +1 strike on strong hit": Gift(((Give("change", "momentum", 1),),), ("strike",), outcomes=HIT[:1]),
    "momentum +its health face_death": Gift(((Give("change", "momentum", 1, "its health"),),), ("face_death",)),
    "all spirit +1 sojourn on strong_hit": Gift(
        ((Give("change", "spirit", 1, whose="all"),),), ("sojourn",), outcomes=HIT[:1]
    ),
    "supply +1 or momentum +1 resupply on hit": Gift(
        ((Give("change", "supply", 1),), (Give("change", "momentum", 1),)), ("resupply",), outcomes=HIT
    ),
    "may harm +2 and initiative foe strike on strong_hit": Gift(
        ((Give("change", "harm", 2), Give("initiative", "foe")),), ("strike",), may=True, outcomes=HIT[:1]
    ),
    "aim: harm -1 endure_harm once per fight": Gift(
        ((Give("change", "harm", -1),),), ("endure_harm",), part="aim", once="fight"
    ),
    "next strike +1 clash on strong_hit": Gift(((Give("next", "strike", 1),),), ("clash",), outcomes=HIT[:1]),
    "due endure_stress_2 own on weak_hit/miss": Gift(
        ((Give("due", "endure_stress_2"),),), ("own",), outcomes=("weak_hit", "miss")
    ),
    "counts miss strike on weak_hit": Gift(((Give("counts", "miss"),),), ("strike",), outcomes=HIT[1:]),
    "its light 6 own on strong_hit": Gift(((Give("meter", "light", 6, exact=True),),), ("own",), outcomes=HIT[:1]),
    "its light -1 any": Gift(((Give("meter", "light", -1),),), ("any",)),
    "its worn off use": Gift(((Give("flag", "worn", 0),),), ("use",)),
    "most health 6 marked": Gift(((Give("most", "health", 6, exact=True),),), ("marked",)),
    "weapon 2 strike/clash": Gift(((Give("weapon", points=2),),), ("strike", "clash")),
    "mark encumbered use": Gift(((Give("mark", "encumbered"),),), ("use",)),
    "clear itself use if itself": Gift(((Give("clear", "itself"),),), ("use",), needs=(("itself", True),)),
    "move wits/heart": Gift(((Give("move", "wits/heart"),),), ("own",)),
    "spirit +1 make_camp after relax": Gift(((Give("change", "spirit", 1),),), ("make_camp",), after="relax"),
    "+1 any if not fight if supply once": Gift(
        ((Give("add", points=1),),), ("any",), needs=(("fight", False), ("supply", True)), once="ever"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "read"), READ.items(), ids=READ)
def test_gift_is_read_as_it_is_written(text: str, read: Gift) -> None:
    assert gift(text) == read


WRONG = {
    "": "something is missing at the end",
    "+1": "a move is missing",
    "reroll": "a move is missing",
    "shadow +2 to ten use": "should be a number up to 9",
    "momentum +2 to 4 use": "should be with, on, after, if or once",
    "strike": "write it like",
    "1 strike": "write it like",
    "+0 strike": "from +1 to +3",
    "+4 strike": "from +1 to +3",
    "+١ strike": "from +1 to +3",
    "+1 Face Danger": "“Face” should be a name",
    "+1 adventure/face-danger": "“face-danger” should be a name",
    "+1 strike/": "a name is missing",
    "+1 \x1b[31m": "should be a name",
    "+1 strike, +1 clash": "has a comma",
    "+1 strike on hit": "comes before the roll",
    "roll luck strike": "the stat to roll should be edge",
    "momentum strike": "should be a change such as +1",
    "momentum +10 strike": "from +1 to +9",
    "luck +1 strike": "write it like",
    "momentum +1 strike on fire": "an outcome should be",
    "momentum +1 strike with luck": "the stat should be",
    "momentum +1 strike when tired": "should be with, on, after, if or once",
    "momentum +1 strike if lucky": "“lucky” isn't a condition",
    "momentum +1 strike once per week": "the time after per should be",
    "may +1 strike": "can be chosen with or and may",
    "+1 or +2 strike": "can be chosen with or and may",
    "next strike -1 clash": "should be +1, +2 or +3",
    "counts glory strike": "what the roll counts as should be",
    "mark tired use": "the debility should be",
    "its +1 use": "should be a name",
    "+1 strike after relax": "can only come after roll",
    "reroll " + "x" * 10000: "at most 160 characters",
}


@pytest.mark.parametrize(("text", "why"), WRONG.items(), ids=[text[:30] for text in WRONG])
def test_gift_written_otherwise_is_refused_in_one_sentence(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=r".") as refused:
        gift(text)
    sentence = str(refused.value)
    assert why in sentence
    assert sentence.endswith(".")
    assert sentence.isprintable()
    assert len(sentence) < 200


_WORDS = sorted({word for text in READ for word in text.split()})


@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(_WORDS), max_size=9).map(" ".join)))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(ValueError):
        assert gift(text).ways


def test_gifts_of_a_save_are_read_without_those_that_mean_nothing() -> None:
    assert list(written("+1 strike, dance, reroll clash")) == [gift("+1 strike"), gift("reroll clash")]
    assert list(written("")) == []
