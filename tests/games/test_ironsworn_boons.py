"""What marked abilities give in play: when they are offered, what they change, and that all of it is undone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.campaign.playing import GAME, Quick, open_session, play
from tests.games.test_ironsworn_words import STRONG, WEAK, edit, short

from tracker.campaign.player import Player
from tracker.campaign.session import Session, new_campaign
from tracker.campaign.typed_commands import Change, interpret
from tracker.content import shipped
from tracker.content.pack_abilities import known
from tracker.games.api.errors import Refused
from tracker.games.api.prompts import Choose, Roll
from tracker.games.api.view import Flags
from tracker.games.ironsworn.assets import record
from tracker.games.ironsworn.state import ABILITIES

KARA = {"id": "kara", "name": "Kara", "edge": 2, "heart": 1, "iron": 3, "shadow": 1, "wits": 1}
ANA = {**KARA, "id": "ana", "name": "Ana"}
WOLF = {"id": "wolf", "name": "Wolf", "kind": "fight", "rank": "formidable"}
USED = {"text": "Dark.", "on": True, "gives": "mark itself use"}
MISS = {"action": 1, "challenge": [9, 10]}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Session]:
    path = str(tmp_path / "boons.toml")
    new_campaign(path, GAME, Quick())
    session = open_session(path)
    edit(session, {"at": "party", "add": KARA})
    yield session
    session.close()


def hold(table: Session, *gives: str, who: str = "kara", **more: Any) -> None:
    """Give a character an asset with one ability for each text."""
    names = ("one", "two", "three", "four", "five", "six")
    abilities = {name: {"text": f"Ability {name}.", "on": True, "gives": text} for name, text in zip(names, gives)}  # noqa: B905
    edit(table, {"at": f"{who}.assets", "add": {"id": "card", "name": "Card", "kind": "path", **abilities, **more}})


def offers(table: Session, move: str, key: str = "helped_by", who: str = "kara") -> dict[str, str]:
    """Return what can be ticked before the roll of a move, with the reason why it cannot be used now."""
    run = table.begin(move, who)
    found = [prompt for prompt in run.seen if prompt.key == key]
    return {option.key: option.reason for prompt in found if isinstance(prompt, Choose) for option in prompt.options}


def me(table: Session, who: str = "kara") -> Any:
    return table.state["party"][who]


@pytest.mark.parametrize(
    ("gives", "move", "offered"),
    [
        ("+1 strike", "adventure/face_danger", False),
        ("+1 any", "adventure/face_danger", True),
        ("+1 face_danger/strike", "adventure/face_danger", True),
        ("+1 resupply with edge", "adventure/resupply", False),
        ("+1 resupply with wits", "adventure/resupply", True),
        ("+1 any if fight", "adventure/face_danger", False),
        ("+1 any if not fight", "adventure/face_danger", True),
        ("+1 any if its oil", "adventure/face_danger", True),
        ("+1 any if its salt", "adventure/face_danger", False),
        ("+1 any if its lit", "adventure/face_danger", True),
        ("+1 any if not its lit", "adventure/face_danger", False),
        ("+1 any if wounded", "adventure/face_danger", False),
        ("+1 any if supply", "adventure/face_danger", True),
        ("+1 any if companion", "adventure/face_danger", False),
        ("reroll any", "adventure/face_danger", False),
        ("+1 own", "adventure/face_danger", False),
        ("dance", "adventure/face_danger", False),
    ],
)
def test_ability_is_offered_only_where_it_can_apply(table: Session, gives: str, move: str, offered: bool) -> None:
    hold(
        table,
        gives,
        meters={"oil": {"name": "Oil", "value": 1}, "salt": {"name": "Salt"}},
        flags={"lit": {"name": "Lit", "on": True}},
    )
    assert ("card.one" in offers(table, move)) is offered


def test_ability_that_is_not_marked_or_of_a_companion_at_0_is_not_offered(table: Session) -> None:
    hold(table, "+1 any", "+1 any", max=3, health=1)
    edit(table, {"at": "kara.assets.card.two.on", "to": False})
    assert list(offers(table, "adventure/face_danger")) == ["card.one"]
    edit(table, {"at": "kara.assets.card.health", "to": 0})
    assert offers(table, "adventure/face_danger") == {}


@pytest.mark.parametrize("dice", [STRONG, WEAK, MISS], ids=["strong", "weak", "miss"])
@pytest.mark.parametrize(
    "move",
    [
        *("adventure/face_danger", "adventure/secure_an_advantage", "adventure/undertake_a_journey"),
        *("relationship/compel", "relationship/forge_a_bond", "combat/strike", "suffer/endure_harm", "roll/action"),
        *("suffer/face_death", "quest/swear_an_iron_vow", "quest/fulfill_your_vow", "quest/reach_a_milestone"),
    ],
)
def test_marked_abilities_change_nothing_that_is_not_ticked(table: Session, move: str, dice: dict[str, Any]) -> None:
    oath = {"id": "oath", "name": "Oath", "kind": "vow", "rank": "dangerous", "ticks": 24, "sworn_by": "kara"}
    edit(table, {"at": "tracks", "add": oath}, {"at": "tracks", "add": WOLF}, {"at": "kara.initiative", "to": "you"})
    begun = move in {"quest/swear_an_iron_vow", "adventure/undertake_a_journey"}
    track = "new" if begun else "oath" if move.startswith("quest/") else "wolf"
    answers: dict[str, Any] = {"track": track, "name": "Bran", "rank": "dangerous"}
    answers |= {"using": "iron", "with": "Bran", "amount": 1}
    plain = _by_default(table, move, dice, answers)
    for asset in shipped("ironsworn").assets.values():
        marked = {name: {**one, "on": True} for name, one in record(asset).items() if name in ABILITIES}
        edit(table, {"at": "kara.assets", "add": {"id": asset.id, **record(asset), **marked}})
    assert _by_default(table, move, dice, answers) == plain


def _by_default(table: Session, move: str, dice: dict[str, Any], answers: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the effects of a move in which the first of what must be chosen is chosen. Nothing is saved."""
    run = table.begin(move, "kara", answers)
    while run.prompt is not None:
        prompt = run.prompt
        if isinstance(prompt, Roll):
            run.answer({name: dice[name] for name in prompt.dice})
        elif isinstance(prompt, Choose):
            free = [option.key for option in prompt.options if not option.reason]
            run.answer(prompt.default if prompt.default is not None else free[: prompt.least])
        else:
            run.answer(prompt.default)
    return run.draft.effects


def test_gains_are_one_sum_with_the_gain_of_the_move(table: Session) -> None:
    hold(table, "momentum +1 gather_information on hit")
    entry = play(table, "adventure/gather_information", helped_by=["card.one"], dice={"action": 6, "challenge": [1, 2]})
    assert [e for e in entry["effects"] if e["at"] == "kara.momentum"] == [{"at": "kara.momentum", "by": 3}]
    assert "Card: momentum +1" in short(entry)
    table.undo()
    assert me(table)["momentum"] == 2


def test_loss_and_gain_of_one_roll_meet_the_limit_together(table: Session) -> None:
    hold(table, "supply +1 undertake_a_journey on weak_hit")
    road = {"id": "road", "name": "Road", "kind": "journey", "rank": "dangerous"}
    edit(table, {"at": "tracks", "add": road}, {"at": "supply", "to": 1})
    play(table, "adventure/undertake_a_journey", helped_by=["card.one"], dice={"action": 6, "challenge": [1, 9]})
    assert (table.state["supply"], dict(me(table)["debilities"])) == (1, {})


def test_once_per_fight_is_used_until_the_fight_is_over(table: Session) -> None:
    hold(table, "+1 strike once per fight")
    edit(table, {"at": "tracks", "add": WOLF}, {"at": "kara.initiative", "to": "you"})
    strike = {"using": "iron", "helped_by": ["card.one"], "dice": STRONG}
    play(table, "combat/strike", **strike)
    assert offers(table, "combat/strike") == {"card.one": "used this fight"}
    table.undo()
    assert offers(table, "combat/strike") == {"card.one": ""}
    play(table, "combat/strike", **strike)
    play(table, "track/close", track="wolf", status="won")
    assert dict(me(table)["assets"]["card"]["used"]) == {}


@pytest.mark.parametrize(
    ("period", "move", "answers"), [("scene", "story/scene", {"title": "Dusk"}), ("session", "story/session", {})]
)
def test_once_per_scene_or_session_comes_back_with_the_next(
    table: Session, period: str, move: str, answers: dict[str, Any]
) -> None:
    hold(table, f"reroll face_danger once per {period}")
    again = {
        "using": "iron",
        "dice": MISS,
        "reroll": ["challenge_1"],
        "reroll_dice": {"challenge_1": 8},
        "reroll_by": "card.one",
    }
    play(table, "adventure/face_danger", **again)
    assert list(me(table)["assets"]["card"]["used"]) == ["one"]
    play(table, move, **answers)
    assert dict(me(table)["assets"]["card"]["used"]) == {}


def test_used_ability_can_be_readied_by_hand(table: Session) -> None:
    hold(table, "+1 face_danger once")
    play(table, "adventure/face_danger", using="iron", helped_by=["card.one"], dice=STRONG)
    assert offers(table, "adventure/face_danger") == {"card.one": "used already"}
    play(table, "sheet/ready_asset")
    assert offers(table, "adventure/face_danger") == {"card.one": ""}


def test_shared_asset_helps_every_member(table: Session) -> None:
    edit(table, {"at": "party", "add": ANA})
    hold(table, "momentum +1 face_danger on hit", who="ana")
    assert offers(table, "adventure/face_danger") == {}
    edit(table, {"at": "ana.assets.card.shared", "to": True})
    play(table, "adventure/face_danger", using="iron", helped_by=["ana/card.one"], dice=STRONG)
    assert (me(table)["momentum"], me(table, "ana")["momentum"]) == (4, 2)


def test_ability_for_allies_helps_only_others_and_gives_its_owner_something(table: Session) -> None:
    edit(table, {"at": "party", "add": {**ANA, "spirit": 3}}, {"at": "kara.spirit", "to": 3})
    hold(table, "+1 endure_stress if ally, owner momentum +1 endure_stress on hit if ally")
    assert offers(table, "suffer/endure_stress") == {}
    assert offers(table, "adventure/face_danger", who="ana") == {}
    key = "kara/card.one"
    entry = play(table, "suffer/endure_stress", "ana", amount=1, helped_by=[key], choose=["embrace"], dice=STRONG)
    assert me(table)["momentum"] == 3
    assert "Card: Kara: momentum +1" in short(entry)
    assert me(table, "ana")["momentum"] == 3, "what she embraces"


def test_ally_uses_up_what_the_owner_lends(table: Session) -> None:
    edit(table, {"at": "party", "add": ANA})
    pelt = {"pelt": {"name": "Pelt", "on": True}}
    hold(table, "+1 any if its pelt if ally, its pelt off any on any if one if its pelt if ally", flags=pelt)
    assert offers(table, "adventure/gather_information") == {}
    play(table, "adventure/gather_information", "ana", helped_by=["kara/card.one"], dice=MISS)
    assert me(table)["assets"]["card"]["flags"]["pelt"]["on"] is False
    assert offers(table, "adventure/gather_information", who="ana") == {}


@pytest.mark.parametrize("roller", ["kara", "ana"])
def test_choices_of_all_at_the_camp_give_the_owner_and_the_ally_what_is_theirs(table: Session, roller: str) -> None:
    edit(table, {"at": "party", "add": {**ANA, "health": 1}}, {"at": "supply", "to": 3}, {"at": "kara.health", "to": 1})
    beast = {"id": "hound", "name": "Hound", "kind": "companion", "max": 4, "health": 1}
    edit(table, {"at": "kara.assets", "add": beast})
    given = (
        "health +1 and companions +1 make_camp after partake, health +1 and supply +1 make_camp after partake if ally"
    )
    hold(table, given)
    other = "ana" if roller == "kara" else "kara"
    key = "card.one" if roller == "kara" else "kara/card.one"
    chosen = {"choose": ["partake"], f"choose.{other}": ["partake"]}
    play(table, "adventure/make_camp", roller, helped_by=[key], dice=WEAK, **chosen)
    assert [me(table, who)["health"] for who in ("kara", "ana")] == [3, 3]
    assert me(table)["assets"]["hound"]["health"] == 3
    assert table.state["supply"] == 2, "the ally's meal costs nothing"


def test_options_and_marks_of_bonds_are_added_to_those_of_the_move(table: Session) -> None:
    hold(table, "options +1 make_camp on hit, bonds +1 forge_a_bond on strong_hit")
    edit(table, {"at": "kara.spirit", "to": 2})
    play(table, "adventure/make_camp", helped_by=["card.one"], dice=WEAK, choose=["relax", "focus"])
    assert (me(table)["spirit"], me(table)["momentum"]) == (3, 3)
    made = {"with": "Hound", "choose": ["spirit"]}
    play(table, "relationship/forge_a_bond", helped_by=["card.one"], dice=STRONG, **made)
    assert (len(me(table)["bonds"]), me(table)["bond_ticks"]) == (1, 2)
    assert not any("bond" in line for line in GAME.lint(table.state))


def test_other_stat_replaces_that_of_the_move(table: Session) -> None:
    hold(table, "roll edge gather_information", "roll its oil strike", meters={"oil": {"name": "Oil", "value": 5}})
    entry = play(table, "adventure/gather_information", helped_by=["card.one"], dice=WEAK)
    assert (entry["facts"]["stat_used"], entry["facts"]["stat"]) == ("edge", 2)
    edit(table, {"at": "tracks", "add": WOLF}, {"at": "kara.initiative", "to": "you"})
    entry = play(table, "combat/strike", helped_by=["card.two"], dice=WEAK)
    assert (entry["facts"]["stat_used"], entry["facts"]["stat"]) == ("oil", 5)


def test_outcome_can_count_as_another(table: Session) -> None:
    hold(table, "+2 face_danger, counts miss face_danger on weak_hit")
    entry = play(
        table, "adventure/face_danger", using="iron", helped_by=["card.one"], dice={"action": 1, "challenge": [2, 9]}
    )
    assert entry["facts"]["outcome"] == "miss"
    assert me(table)["owed"] == {"pay_the_price": 1}
    assert "counts as a miss (Card)" in short(entry)


def test_harm_and_stress_can_be_lowered(table: Session) -> None:
    hold(table, "harm -1 endure_harm", "stress -9 endure_stress")
    play(table, "suffer/endure_harm", amount=3, helped_by=["card.one"], dice=MISS)
    assert me(table)["health"] == 3
    entry = play(table, "suffer/endure_stress", amount=3, helped_by=["card.two"])
    assert me(table)["spirit"] == 5
    assert short(entry) == "no stress is left"


def test_choice_after_the_roll_is_asked(table: Session) -> None:
    hold(table, "supply +1 or spirit -1 face_danger on hit")
    edit(table, {"at": "supply", "to": 2})
    play(
        table, "adventure/face_danger", using="iron", helped_by=["card.one"], dice=STRONG, **{"given.card.one.0": ["2"]}
    )
    assert (me(table)["spirit"], table.state["supply"]) == (4, 2)


def test_add_after_the_roll_changes_the_outcome(table: Session) -> None:
    hold(table, "+1 and supply -1 face_danger after roll")
    dice = {"action": 3, "challenge": [6, 1]}
    entry = play(table, "adventure/face_danger", using="iron", dice=dice, late_help=["card.one"])
    assert (entry["facts"]["outcome"], table.state["supply"]) == ("strong hit", 4)


def test_add_after_a_reroll_is_offered_only_then(table: Session) -> None:
    hold(table, "reroll face_danger, +1 face_danger after roll if rerolled")
    edit(table, {"at": "kara.momentum", "to": 0})
    miss = {"using": "iron", "dice": MISS}
    again = {"reroll": ["challenge_1"], "reroll_dice": {"challenge_1": 4}, "late_help": ["card.one"]}
    again |= {"reroll_by": "card.one"}
    entry = play(table, "adventure/face_danger", **miss, late_help=["card.one"])
    assert entry["facts"]["adds"] == 0
    entry = play(table, "adventure/face_danger", **miss, **again, choose=["supply"])
    assert (entry["facts"]["adds"], entry["facts"]["outcome"]) == (1, "weak hit")


def test_optional_price_is_asked_for_before_the_roll(table: Session) -> None:
    hold(table, "may supply -1 and next strike +1 face_danger")
    answers = {"helped_by": ["card.one"], "given.card.one.0": ["1"]}
    play(table, "adventure/face_danger", using="iron", dice=STRONG, **answers)
    assert (table.state["supply"], me(table)["waiting"]) == (4, {"strike": 1})


def test_own_move_is_rolled_with_its_outcomes(table: Session) -> None:
    hold(
        table,
        "move wits, supply -1 own, its oil 6 own on strong_hit",
        "+1 own, its oil +1 own on hit",
        meters={"oil": {"name": "Oil", "most": 7}},
    )
    entry = play(table, "sheet/use_asset", helped_by=["card.two"], dice={"action": 6, "challenge": [1, 2]})
    asset = me(table)["assets"]["card"]
    assert (table.state["supply"], asset["meters"]["oil"]["value"], entry["facts"]["adds"]) == (4, 7, 1)
    assert GAME.card(entry["did"], entry["facts"]).title == "Card +wits"


def test_more_for_a_bond_is_offered_only_in_moves_that_add_for_a_bond(table: Session) -> None:
    [given] = known()["02ad2e98e7ae54e0"].gives
    hold(table, given)
    edit(table, {"at": "tracks", "add": WOLF}, {"at": "kara.initiative", "to": "you"})
    answers = {"bond": True, "helped_by": ["card.one"], "using": "heart", "dice": MISS}
    answers |= {"track": "new", "name": "Bran", "rank": "dangerous", "choose": ["press_on"]}
    for move in (
        *("adventure/gather_information", "adventure/undertake_a_journey", "relationship/compel"),
        *("relationship/sojourn", "relationship/draw_the_circle", "quest/swear_an_iron_vow"),
    ):
        entry = play(table, move, **answers)
        assert entry["facts"]["adds"] == 2, move
    for move in ("adventure/face_danger", "adventure/heal", "combat/clash"):
        assert offers(table, move) == {}


def test_progress_move_gets_rerolls_and_gains(table: Session) -> None:
    hold(table, "reroll one_challenge fulfill_your_vow on miss", "experience +1 fulfill_your_vow on hit")
    oath = {"id": "oath", "name": "Oath", "kind": "vow", "rank": "dangerous", "ticks": 32, "sworn_by": "kara"}
    edit(table, {"at": "tracks", "add": oath})
    play(
        table,
        "quest/fulfill_your_vow",
        helped_by=["card.two"],
        dice={"challenge": [9, 10]},
        reroll=["challenge_1"],
        reroll_dice={"challenge_1": 2},
    )
    assert me(table)["xp"] == 2


@pytest.mark.parametrize(("knots", "offered"), [(1, False), (2, True)])
def test_last_knot_is_not_untied_twice_in_one_roll(table: Session, knots: int, offered: bool) -> None:
    untie = "untie: +1 face_danger if its knots, untie: its knots -1 face_danger if its knots"
    again = "reroll and its knots -1 face_danger after roll if its knots"
    hold(table, untie, again, meters={"knots": {"name": "Knots", "value": knots}})
    run = table.begin("adventure/face_danger", "kara", {"helped_by": ["card.one.untie"], "using": "iron"})
    table.rolled(run, MISS)
    [reroll] = [prompt for prompt in run.seen if isinstance(prompt, Choose) and prompt.key == "reroll"]
    assert reroll.aside is not offered


def test_progress_move_names_the_ability_that_gives_a_reroll(table: Session) -> None:
    hold(table, "reroll fulfill_your_vow")
    edit(table, {"at": "tracks", "add": {"id": "oath", "name": "Oath", "kind": "vow", "sworn_by": "kara"}})
    run = table.begin("quest/fulfill_your_vow", "kara")
    table.rolled(run, {"challenge": [9, 10]})
    reroll = next(prompt for prompt in run.seen if prompt.key == "reroll")
    assert isinstance(reroll, Choose)
    assert [option.note for option in reroll.options] == ["Card", "Card"]


@pytest.mark.parametrize(
    ("gives", "answers"),
    [
        ("reroll face_danger", {"reroll": ["challenge_1"], "reroll_dice": {"challenge_1": 8}}),
        ("+1 face_danger after roll", {"late_help": ["card.one"]}),
        ("may momentum +1 face_danger on any", {"given.card.one.0": ["1"]}),
    ],
)
@pytest.mark.parametrize("most", [3, 0])
def test_companion_that_helps_after_the_roll_shares_the_risk_of_a_1(
    table: Session, gives: str, answers: dict[str, Any], most: int
) -> None:
    hold(table, gives, max=most, health=most)
    again = {"using": "iron", "dice": MISS, "companion_hurt": True}
    play(table, "adventure/face_danger", **again)
    assert "companion_endure_harm" not in me(table)["owed"]
    play(table, "adventure/face_danger", **again, **answers)
    assert ("companion_endure_harm" in me(table)["owed"]) is bool(most)


def test_progress_move_is_helped_only_by_an_ability_that_names_it(table: Session) -> None:
    hold(table, "experience +1 any on hit", "experience +1 fulfill_your_vow on hit")
    oath = {"id": "oath", "name": "Oath", "kind": "vow", "rank": "dangerous", "ticks": 32, "sworn_by": "kara"}
    edit(table, {"at": "tracks", "add": oath})
    assert list(offers(table, "quest/fulfill_your_vow")) == ["card.two"]


def test_gift_of_marking_an_ability_is_given_once(table: Session) -> None:
    hold(table, "+1 any", "most health 6 marked, its health 6 marked", max=3, health=3)
    edit(table, {"at": "kara.assets.card.two.on", "to": False}, {"at": "kara.xp", "to": 2})
    play(table, "quest/advance", choose=["upgrade"], asset="card", ability="two")
    asset = me(table)["assets"]["card"]
    assert (asset["max"], asset["health"]) == (6, 6)


def test_asset_that_counts_as_a_debility_limits_momentum_until_it_no_longer_does(table: Session) -> None:
    hold(table, "mark itself use if not itself", "clear itself face_danger on hit if itself", name="Doom")
    edit(table, {"at": "kara.momentum", "to": 10})
    assert offers(table, "adventure/face_danger") == {}
    before = table.state
    play(table, "sheet/use_asset", ability="card.one")
    assert me(table)["momentum"] == 9
    assert GAME.changes(before, table.state, "kara") == ["momentum 10 → 9", "Doom counts as a debility"]
    [flags] = [line for line in GAME.sheet(table.state, "kara")[0].fields if isinstance(line, Flags)]
    assert [flag.label for flag in flags.flags if flag.on] == ["Doom"]
    with pytest.raises(Refused, match="No ability of your assets is used outside moves"):
        table.begin("sheet/use_asset", "kara")
    before = table.state
    play(table, "adventure/face_danger", using="iron", helped_by=["card.two"], dice=STRONG)
    assert "Doom no longer counts as a debility" in GAME.changes(before, table.state, "kara")
    assert me(table)["debilities"] == {}


@pytest.mark.parametrize("way", ["sheet/clear", "sheet/lose_asset"])
def test_asset_that_counts_as_a_debility_is_cleared_by_hand_and_with_the_asset(table: Session, way: str) -> None:
    edit(table, {"at": "kara.assets", "add": {"id": "cursed", "name": "Cursed", "kind": "path", "one": USED}})
    play(table, "sheet/use_asset", ability="cursed.one")
    assert me(table)["debilities"].keys() == {"asset_cursed"}  # not the debility of the rules with this name
    play(table, way, debility="asset_cursed")
    assert me(table)["debilities"] == {}


def test_guess_is_marked_as_one_and_gives_nothing_by_itself(table: Session) -> None:
    ability = {"text": "Hm.", "on": True, "guesses": "+1 face_danger"}
    edit(table, {"at": "kara.assets", "add": {"id": "card", "name": "Card", "kind": "path", "one": ability}})
    run = table.begin("adventure/face_danger", "kara")
    [prompt] = [prompt for prompt in run.seen if prompt.key == "helped_by"]
    assert isinstance(prompt, Choose)
    assert [option.label for option in prompt.options] == ["a guess: Card +1"]
    assert prompt.default == []


def test_list_in_an_ability_is_one_line_beside_its_box_and_lines_below(table: Session) -> None:
    hold(table, "+1 any")
    edit(table, {"at": "kara.assets.card.one.text", "to": "Choose one.\n\n• This.\n• That."})
    run = table.begin("adventure/face_danger", "kara")
    (option,) = next(prompt for prompt in run.seen if isinstance(prompt, Choose)).options
    assert option.note == "Choose one. • This. • That."
    assert option.about == "Choose one.\n• This.\n• That."


def test_companion_is_called_by_its_own_name(table: Session) -> None:
    hold(table, "+1 face_danger, momentum +1 face_danger on hit", max=3, health=3, note="Grim")
    run = table.begin("adventure/face_danger", "kara")
    [prompt] = [prompt for prompt in run.seen if prompt.key == "helped_by"]
    assert isinstance(prompt, Choose)
    assert [option.label for option in prompt.options] == ["Grim +1"]
    entry = play(table, "adventure/face_danger", using="iron", helped_by=["card.one"], dice=STRONG)
    assert "Grim: momentum +1" in short(entry)
    assert "Card" not in short(entry)


def test_own_meter_is_changed_by_hand_within_its_limits(table: Session) -> None:
    hold(table, "", meters={"oil": {"name": "Oil", "value": 1, "most": 2}})
    player = Player(table)
    player.active = "kara"
    for line, value in (("oil +1", 2), ("oil -1", 1), ("oil -5", 0), ("set oil 2", 2)):
        match interpret(player, line, {}):
            case Change(effect, who):
                player.change(effect, who)
        assert me(table)["assets"]["card"]["meters"]["oil"]["value"] == value
    for line in ("oil +1", "set oil 3"):
        with pytest.raises(Refused, match="oil stays 2; it runs from 0 to 2"):
            match interpret(player, line, {}):
                case Change(effect, who):
                    player.change(effect, who)


def test_changes_of_a_companion_name_it_as_its_player_does(table: Session) -> None:
    hold(table, "+1 any", "+1 any", max=3, health=3, note="Grim")
    edit(table, {"at": "kara.assets.card.two.on", "to": False})
    before = table.state
    edit(table, {"at": "kara.assets.card.health", "by": -1}, {"at": "kara.assets.card.two.on", "to": True})
    assert GAME.changes(before, table.state, "kara") == ["Grim: ability two marked", "Grim health 3 → 2"]


def test_a_d6_that_an_ability_gives_is_rolled_and_added(table: Session) -> None:
    hold(table, "harm +d6 strike on hit")
    edit(table, {"at": "tracks", "add": WOLF}, {"at": "kara.initiative", "to": "you"})
    answers = {"using": "iron", "helped_by": ["card.one"], "dice": WEAK, "d6.card.one": {"d6": 4}}
    entry = play(table, "combat/strike", **answers)
    assert "Card: harm +4" in short(entry)
    assert table.state["tracks"]["wolf"]["ticks"] == 4 * (1 + 4)


def test_answer_of_an_asset_decides_and_can_change(table: Session) -> None:
    armor = ("heavy: +2 any if its full_mail", "light: +1 any if its hide", "its worn full_mail use if its hide")
    hold(table, ", ".join(armor), options={"worn": {"name": "Worn", "value": "Hide"}})
    assert list(offers(table, "adventure/face_danger")) == ["card.one.light"]
    play(table, "sheet/use_asset")
    assert me(table)["assets"]["card"]["options"]["worn"]["value"] == "full mail"
    assert list(offers(table, "adventure/face_danger")) == ["card.one.heavy"]


def test_ability_can_give_way_to_a_better_one(table: Session) -> None:
    hold(table, "+1 any if not its two", "+2 any")
    assert list(offers(table, "adventure/face_danger")) == ["card.two"]
    edit(table, {"at": "kara.assets.card.two.on", "to": False})
    assert list(offers(table, "adventure/face_danger")) == ["card.one"]


@pytest.mark.parametrize(("amount", "offered"), [(4, False), (5, True)])
def test_health_in_a_condition_is_what_the_harm_leaves(table: Session, amount: int, offered: bool) -> None:
    hold(table, "+1 endure_harm if not health")
    run = table.begin("suffer/endure_harm", "kara", [["amount", amount]])
    asked = [prompt for prompt in run.seen if prompt.key == "helped_by"]
    assert bool(asked) is offered


@pytest.mark.parametrize(("reroll_by", "debilities"), [("", []), ("none", []), ("card.one", ["shaken"])])
def test_price_of_a_reroll_is_due_only_if_the_ability_gave_it(
    table: Session, reroll_by: str, debilities: list[str]
) -> None:
    hold(table, "reroll any on miss, mark shaken any on miss if rerolled")
    again = {"reroll": ["action"], "reroll_dice": {"action": 2}, "reroll_by": reroll_by} if reroll_by else {}
    play(table, "adventure/face_danger", using="iron", dice=MISS, **again)
    assert list(me(table)["debilities"]) == debilities


PRICED = (
    "reroll face_danger on miss, mark shaken face_danger on miss if rerolled",
    "reroll face_danger, mark wounded face_danger on any if rerolled",
    "reroll face_danger once per session",
    "reroll and supply -1 face_danger after roll",
    "reroll face_danger",
)


@pytest.mark.parametrize(
    ("reroll_by", "changed"),
    [
        ("card.one", "shaken"),
        ("card.two", "wounded"),
        ("card.three", "used"),
        ("card.four", "supply"),
        ("card.five", ""),
        ("none", ""),
    ],
)
def test_one_of_several_abilities_gives_the_reroll_and_no_other_takes_its_price(
    table: Session, reroll_by: str, changed: str
) -> None:
    hold(table, *PRICED)
    given = {"helped_by": ["card.two"]} if "card.two" in offers(table, "adventure/face_danger") else {}
    again = {"reroll": ["action"], "reroll_dice": {"action": 2}, "reroll_by": reroll_by}
    entry = play(table, "adventure/face_danger", using="iron", dice=MISS, **given, **again)
    found = {*me(table)["debilities"]} | ({"used"} if me(table)["assets"]["card"]["used"] else set())
    assert found | ({"supply"} if table.state["supply"] < 5 else set()) == ({changed} if changed else set())
    assert entry["facts"]["rerolled_by"] == ("" if reroll_by == "none" else "Card")


def test_reroll_by_the_only_ability_without_a_price_is_not_asked_about(table: Session) -> None:
    hold(table, "reroll action face_danger", "reroll one_challenge face_danger once per session")
    again = {"reroll": ["action"], "reroll_dice": {"action": 2}}
    assert play(table, "adventure/face_danger", using="iron", dice=MISS, **again)["facts"]["rerolled_by"] == "Card"
    again = {"reroll": ["challenge_1", "challenge_2"], "reroll_dice": {"challenge_1": 9, "challenge_2": 9}}
    assert play(table, "adventure/face_danger", using="iron", dice=MISS, **again)["facts"]["rerolled_by"] == ""


@pytest.mark.parametrize(
    ("again", "adds", "by"),
    [
        ({"action": 2}, 0, ""),
        ({"challenge_1": 4, "challenge_2": 10}, 0, ""),
        ({"action": 1, "challenge_1": 4, "challenge_2": 10}, 1, "Card"),
    ],
)
def test_ability_that_rerolls_all_dice_gives_no_reroll_of_some(
    table: Session, again: dict[str, int], adds: int, by: str
) -> None:
    hold(table, "reroll all face_danger, +1 face_danger after roll if rerolled")
    answers = {"reroll": [*again], "reroll_dice": again, "reroll_by": "card.one", "late_help": ["card.one"]}
    run = table.begin("adventure/face_danger", "kara")
    run.answer("iron")
    run.answer(MISS)
    reroll = next(prompt for prompt in run.quiet() if prompt.key == "reroll")
    assert isinstance(reroll, Choose)
    assert [option.note for option in reroll.options] == ["Card: all dice", "", ""]
    entry = play(table, "adventure/face_danger", using="iron", dice=MISS, choose=["supply"], **answers)
    assert (entry["facts"]["adds"], entry["facts"]["rerolled_by"]) == (adds, by)


@pytest.mark.parametrize(("reroll_by", "debilities"), [("none", []), ("card.one", ["shaken"])])
def test_price_of_a_reroll_in_a_progress_move_is_due_only_if_the_ability_gave_it(
    table: Session, reroll_by: str, debilities: list[str]
) -> None:
    hold(table, "reroll fulfill_your_vow on miss, mark shaken fulfill_your_vow on miss if rerolled")
    oath = {"id": "oath", "name": "Oath", "kind": "vow", "rank": "dangerous", "ticks": 32, "sworn_by": "kara"}
    edit(table, {"at": "tracks", "add": oath})
    again = {"reroll": ["challenge_1"], "reroll_dice": {"challenge_1": 10}, "reroll_by": reroll_by}
    play(table, "quest/fulfill_your_vow", dice={"challenge": [9, 10]}, choose=["recommit"], **again)
    assert list(me(table)["debilities"]) == debilities


@pytest.mark.parametrize(("shadow", "raised"), [(1, 3), (3, 4), (4, 4), (5, 5)])
def test_gain_of_a_stat_stops_at_its_limit(table: Session, shadow: int, raised: int) -> None:
    hold(table, "shadow +2 to 4 use")
    edit(table, {"at": "kara.shadow", "to": shadow})
    play(table, "sheet/use_asset")
    assert me(table)["shadow"] == raised


def test_lesser_weapon_counts_if_two_are_ticked(table: Session) -> None:
    hold(table, "weapon 2 strike", "weapon 2 strike on strong_hit, weapon 1 strike on weak_hit")
    edit(table, {"at": "tracks", "add": WOLF}, {"at": "kara.initiative", "to": "you"})
    play(table, "combat/strike", using="iron", helped_by=["card.one", "card.two"], dice=WEAK)
    assert table.state["tracks"]["wolf"]["ticks"] == 4


@pytest.mark.parametrize(("action", "keen"), [(4, True), (1, False)])
def test_weapon_that_an_ally_carries_inflicts_more_and_is_lost_by_their_1(
    table: Session, action: int, keen: bool
) -> None:
    edit(table, {"at": "party", "add": ANA}, {"at": "tracks", "add": WOLF}, {"at": "kara.initiative", "to": "you"})
    keen_lines = "harm +1 strike on hit if its keen, its keen off strike on any if one if its keen"
    for_ally = ", ".join(f"{line} if ally" for line in keen_lines.split(", "))
    hold(table, f"{keen_lines}, {for_ally}", who="ana", flags={"keen": {"name": "Keen", "on": True}})
    dice = {"action": action, "challenge": [1, 2]}
    play(table, "combat/strike", using="iron", helped_by=["ana/card.one"], dice=dice)
    assert table.state["tracks"]["wolf"]["ticks"] == 12
    assert me(table, "ana")["assets"]["card"]["flags"]["keen"]["on"] is keen


@pytest.mark.parametrize(("seized", "initiative"), [([], "foe"), (["1"], "you")])
def test_initiative_seized_as_the_fight_begins_wins_over_the_choice_of_the_move(
    table: Session, seized: list[str], initiative: str
) -> None:
    hold(
        table,
        "may initiative you enter_the_fray on weak_hit if burned if not fight once per fight, "
        "may initiative you strike on weak_hit if burned if fight once per fight",
    )
    edit(table, {"at": "tracks", "add": WOLF}, {"at": "kara.momentum", "to": 9})
    answers = {"track": "wolf", "using": "wits", "burn": True, "given.card.one.0": seized, "choose": ["momentum"]}
    play(table, "combat/enter_the_fray", dice={"action": 1, "challenge": [8, 10]}, **answers)
    assert me(table)["initiative"] == initiative
    assert [*me(table)["assets"]["card"]["used"]] == (["one"] if seized else [])


def test_parts_that_stand_alone_cannot_be_ticked_together(table: Session) -> None:
    hold(table, "add: +2 strike if alone, gain: momentum +2 strike on hit if alone, third: +1 strike", "+1 strike")
    edit(table, {"at": "tracks", "add": WOLF}, {"at": "kara.initiative", "to": "you"})
    run = table.begin("combat/strike", "kara")
    run.revise("helped_by", ["card.one.add", "card.one.third", "card.two"])
    with pytest.raises(Refused, match=r"^Choose Card, add \+2 or Card, gain, not both\.$"):
        run.revise("helped_by", ["card.one.add", "card.one.gain"])
    chosen = run.value("helped_by")
    assert chosen == ["card.one.add", "card.one.third", "card.two"]
    helped = next(prompt for prompt in run.quiet() if prompt.key == "helped_by")
    assert isinstance(helped, Choose)
    reasons = [helped.why_not(option, chosen) for option in helped.options]
    assert reasons == ["", "not together with Card, add +2", "", ""]


def test_ability_that_stands_alone_cannot_be_ticked_with_another_of_its_asset(table: Session) -> None:
    hold(table, "+1 strike if alone", "+2 strike if alone")
    edit(table, {"at": "tracks", "add": WOLF}, {"at": "kara.initiative", "to": "you"})
    run = table.begin("combat/strike", "kara")
    run.revise("helped_by", ["card.two"])
    with pytest.raises(Refused, match=r"^Choose Card \+1 or Card \+2, not both\.$"):
        run.revise("helped_by", ["card.one", "card.two"])
