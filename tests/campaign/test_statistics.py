"""Statistics against counts that are made another way, over campaigns that were played at random."""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from tests.campaign.playing import campaign, main_lines, open_session, play, short_memory, whole_file
from tests.random_play import random_campaign

from tracker import games
from tracker.campaign.chronicle import select
from tracker.campaign.log import Entry
from tracker.campaign.session import Session
from tracker.campaign.statistics import RollTally, Statistics, gather, statistics
from tracker.campaign.statistics_text import luck
from tracker.saves import search

MANY = 6
"""Random campaigns of each game."""


# -- counting another way -------------------------------------------------------------------------------


def finished(path: Path) -> list[Entry]:
    """Return the entries that ended a move which counts, worked out the slow way from the whole file."""
    entries = sorted(whole_file(path), key=lambda entry: (entry["t"], entry["id"]))
    taken = main_lines(entries)
    root: dict[str, str] = {}
    for entry in entries:
        closes = entry.get("closes", "")
        root[entry["id"]] = root.get(closes, closes) or entry["id"]
    undone: set[str] = set()
    for entry in reversed(entries):
        if "undoes" in entry and entry["id"] not in undone:
            undone |= {one for one in root if root[one] == root[entry["undoes"]]}
    counting = [entry for entry in entries if entry["id"] not in undone and taken(entry) and "undoes" not in entry]
    moves = [entry for entry in counting if not entry.get("open") and "/" in entry.get("did", "")]
    return [entry for entry in moves if not entry["did"].startswith("journal/")]


def faces(entries: list[Entry], name: str) -> list[int]:
    """Return all faces that dice of this name showed, in any answer."""
    found: list[int] = []
    for entry in entries:
        for _, answer in entry.get("answers", ()) if entry["did"] != "character/make" else ():
            shown = answer.get(name, []) if isinstance(answer, dict) else []
            found += shown if isinstance(shown, list) else [shown]
    return found


def ironsworn_odds(facts: dict[str, Any]) -> Counter[str]:
    """Return the shares of the outcomes of an action roll, by trying all 600 ways to roll."""
    found: Counter[str] = Counter()
    for action, first, second in product(range(1, 7), range(1, 11), range(1, 11)):
        die = 0 if action == -facts["momentum"] else action
        score = min(10, die + facts["stat"] + facts["adds"])
        found[["miss", "weak hit", "strong hit"][(score > first) + (score > second)]] += 1
    return found


def tally(found: Statistics, kind: str) -> RollTally | None:
    return next((rolls for rolls in found.rolls if rolls.kind.name == kind), None)


def times(found: Statistics, kind: str) -> Counter[str]:
    rolls = tally(found, kind)
    return Counter({one.name: one.times for one in rolls.outcomes if one.times} if rolls else {})


@pytest.fixture(scope="module", params=[(game, seed) for game in games.GAMES for seed in range(MANY)], ids=str)
def random_one(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """A random campaign, most of which is from before the snapshot, read in small parts."""
    game, seed = request.param
    path = tmp_path_factory.mktemp("random") / "tale.toml"
    with pytest.MonkeyPatch.context() as patch, short_memory(keep=9):
        patch.setattr(search, "_STRETCH", 5000)
        random_campaign(path, game, seed, 45).close()
        session = open_session(path, write=False)  # no thread tidies the file meanwhile
        yield session
        session.close()


def test_random_campaign_leads_to_its_own_state(random_one: Session) -> None:
    found = gather(random_one)
    for gauge in random_one.game.gauges(random_one.state):
        line = found.lines[gauge.id]
        assert (line.gauge, line.points[-1][2]) == (gauge, gauge.value)


def test_random_campaign_has_the_moves_of_an_independent_count(random_one: Session) -> None:
    ends = finished(Path(random_one.save.real))
    found = statistics(gather(random_one))
    assert {move.did: move.times for move in found.moves} == Counter(entry["did"] for entry in ends)
    assert found.moves_made == len(ends)
    for who in random_one.state["party"]:
        name = random_one.state["party"][who]["name"]
        of_one = statistics(gather(random_one), select(random_one)._replace(who=frozenset({who})))
        assert of_one.who == name
        assert of_one.moves_made == sum(entry.get("who") == who for entry in ends)


def test_random_campaign_has_the_outcomes_of_an_independent_count(random_one: Session) -> None:
    ends = finished(Path(random_one.save.real))
    found = statistics(gather(random_one))
    facts = [entry.get("facts", {}) for entry in ends]
    match random_one.game.id:
        case "ironsworn":
            focused = [one["focus"] for one in facts if "focus" in one]
            focused += [each for one in facts for each in one.get("focus_of", {}).values()]
            rolled = [one for one in (*facts, *focused) if "outcome" in one and "challenge" in one]
            for kind, acts in (("action roll", True), ("progress roll", False)):
                assert times(found, kind) == Counter(one["outcome"] for one in rolled if ("action" in one) is acts)
            burned = [f"{one['before_burn']} → {one['outcome']}" for one in rolled if "before_burn" in one]
            told = {feat.name: dict(feat.what) for feat in found.feats}
            assert told.get("momentum burned", {}) == Counter(burned)
        case "wherever":
            assert times(found, "action roll") == Counter(one["outcome"] for one in facts if "outcome" in one)
            sides = Counter(
                (one["winner"] == "acting") == (one["side"] == "acting") for one in facts if "winner" in one
            )
            opposed = times(found, "opposed roll")
            assert (opposed["won"], opposed["lost"]) == (sides[True], sides[False])
            rolled = [one for one in facts if "outcome" in one or "winner" in one]
            done = {feat.name: (feat.times, feat.paid) for feat in found.feats}
            banes = sum(one["banes"] for one in rolled)
            assert done.get("banes", (0, 0)) == (banes, sum(one["damage"] for one in rolled if one["banes"]))
            assert done.get("pushed", (0, 0))[0] == sum("pushed" in one for one in rolled)
            gambled = [one["gambles"] for one in rolled if "gambles" in one]
            assert done.get("gambled", (0, 0)) == (len(gambled), sum(gambled))
        case _:
            hopes = [one for one in facts if "hope" in one and "total" in one]
            kinds = ("action roll", "roll against a secret Difficulty", "reaction roll")
            counted = sum((times(found, kind) for kind in kinds), Counter[str]())
            assert counted == Counter(one["outcome"].replace("hope", "Hope").replace("fear", "Fear") for one in hopes)
            attacks = times(found, "adversary's attack").total()
            assert attacks == sum("hits" in one for one in facts)


def test_random_campaign_has_the_faces_of_an_independent_count(random_one: Session) -> None:
    ends = finished(Path(random_one.save.real))
    found: Counter[tuple[str, int]] = Counter()
    for die in statistics(gather(random_one)).dice:
        found.update({(die.name, face): many for face, many in enumerate(die.faces, 1) if many})
    named: dict[str, dict[str, tuple[str, ...]]] = {
        "ironsworn": {"action die": ("action",), "challenge die": ("challenge", "challenge_1", "challenge_2")},
        "wherever": {"stress die": ("stress", "other_stress")},
        "daggerheart": {"Hope Die": ("hope",)},
    }
    for name, keys in named[random_one.game.id].items():
        expected = Counter(face for key in keys for face in faces(ends, key))
        assert {face: many for (die, face), many in found.items() if die == name and many} == expected


def test_random_campaign_promises_what_its_odds_add_up_to(random_one: Session) -> None:
    for rolls in statistics(gather(random_one)).rolls:
        assert sum(one.expected for one in rolls.outcomes) == pytest.approx(rolls.known)
        assert sum(one.fell for one in rolls.outcomes) == rolls.known == rolls.times
        points = sum(n * one.expected for n, one in enumerate(reversed(rolls.outcomes)))
        assert rolls.luck
        assert rolls.luck.expected == pytest.approx(points)
        assert (rolls.luck.chance is None) == (rolls.known < 5)
        assert rolls.luck.chance is None or 0 < rolls.luck.chance <= 1


def test_random_ironsworn_odds_equal_all_ways_to_roll(random_one: Session) -> None:
    if random_one.game.id != "ironsworn":
        return
    rolled = [
        facts
        for entry in finished(Path(random_one.save.real))
        for facts in (entry.get("facts", {}), entry.get("facts", {}).get("focus", {}))
        if "action" in facts and "outcome" in facts
    ]
    expected: Counter[str] = Counter()
    for facts in rolled:
        expected.update(ironsworn_odds(facts))
    found = tally(statistics(gather(random_one)), "action roll")
    promised = {one.name: one.expected for one in found.outcomes} if found else {}
    assert promised == pytest.approx({name: ways / 600 for name, ways in expected.items()}, abs=0.01)


class TestOneCampaign:
    def test_app_dice_and_real_dice_are_counted_apart(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as session:
            for source in ("rolled here", "typed in", "typed in"):
                session.do("change", [{"at": "dice_are", "to": source}])
                play(session, "roll/action", using="edge", dice={"action": 5, "challenge": [3, 3]})
            dice = {(die.name, die.source): die.faces for die in statistics(gather(session)).dice}
        assert dice["action die", "app dice"] == (0, 0, 0, 0, 1, 0)
        assert dice["action die", "real dice"] == (0, 0, 0, 0, 2, 0)

    def test_burn_counts_as_the_dice_fell_and_tells_what_it_bought(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as session:
            session.do("change", [{"at": "kara.momentum", "to": 9}])
            play(session, "roll/action", using="edge", burn=True, dice={"action": 1, "challenge": [7, 8]})
            found = statistics(gather(session))
        rolls = tally(found, "action roll")
        assert rolls
        assert [(one.name, one.times, one.fell) for one in rolls.outcomes] == [
            ("strong hit", 1, 0),
            ("weak hit", 0, 0),
            ("miss", 0, 1),
        ]
        (burned,) = found.feats
        assert (burned.name, burned.paid, burned.unit, burned.what) == (
            "momentum burned",
            7,
            "momentum",
            (("miss → strong hit", 1),),
        )

    @pytest.mark.parametrize("many", [1, 4, 5])
    def test_luck_is_judged_from_five_rolls_on(self, many: int, tmp_path: Path) -> None:
        with campaign(tmp_path) as session:
            for _ in range(many):
                play(session, "roll/action", using="edge", dice={"action": 1, "challenge": [7, 8]})
            rolls = tally(statistics(gather(session)), "action roll")
        assert rolls
        assert luck(rolls).startswith("Too few rolls to judge." if many < 5 else "The dice were ")

    def test_undone_and_unfinished_rolls_do_not_count(self, tmp_path: Path) -> None:
        with campaign(tmp_path) as session:
            play(session, "roll/action", using="edge", dice={"action": 1, "challenge": [7, 8]})
            session.undo()
            run = session.begin("roll/action", "kara", [("using", "edge")])
            session.rolled(run, {"action": 1, "challenge": [7, 8]})
            assert statistics(gather(session)).rolls == ()
            assert statistics(gather(session)).dice == ()
