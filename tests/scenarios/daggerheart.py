"""Daggerheart's table in the words of scenarios, and back."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from tracker.games.daggerheart.derived_values import conditions, creatures, facing, gold, is_reduced, thresholds
from tracker.games.daggerheart.dice import TRAITS, net, odds, tier
from tracker.games.daggerheart.harm import NO_SLOT, OTHER
from tracker.games.daggerheart.state import CONDITIONS

_DUALITY = {"trait", "difficulty", "modifier", "advantage", "disadvantage", "experiences", "dice", "reroll"}
_DUALITY |= {"extra", "later", "later_dice"}
_ODDS = {"difficulty", "modifier", "advantage", "disadvantage"}
KEYS = {
    "action_roll": {*_DUALITY, "help"},
    "verdict": {"success"},
    "reaction_roll": {*_DUALITY, "damage"},
    "group_roll": {*_DUALITY, "help", "participants"},
    "tag_team": {"partner", "difficulty", "rolls", "choose"},
    "damage_roll": {"roll", "critical", "dice"},
    "take_damage": {"target", "amount", "amounts", "type", "direct", "armor"},
    "mark_stress": {"target", "amount", "forced"},
    "clear": {"target", "hp", "stress", "armor"},
    "spend_hope": {"amount"},
    "spend_fear": {"amount", "on"},
    "spotlight": {"to"},
    "condition": {"target", "add", "remove"},
    "adversary_attack": {"targets", "advantage", "disadvantage", "experiences", "dice", "group"},
    "rest": {"kind", "interrupted", "dice", "moves", "countdown", "anyway"},
    "death_move": {"choose", "dice", "clear"},
    "level_up": {"advancements", "experience"},
    "countdown": {"name", "advance"},
    "gold": {"handfuls", "bags", "chests"},
    "begin_session": set(),
    "battle_points": {"pcs", "adjust", "adversaries"},
    "odds": _ODDS,
}
"""What a step of each kind may say."""
BY_HAND: set[str] = set()
ASKED = {"odds"}
_CHANCES = ("critical", "success_with_hope", "success_with_fear", "failure_with_hope", "failure_with_fear", "success")
TOLD = {
    *("wasted_hope", "wasted_fear", "fired", "total", "outcome", "damage", "bonus", "totals", "rolled", "severity"),
    *("marked", "defeated", "hp", "hits", "critical", "fear_gained", "scar", "budget", "cost", "left"),
    *_CHANCES,
}
"""What a step may say of itself."""
_NOTHING: dict[str, Any] = {"fired": [], "wasted_hope": 0, "wasted_fear": 0, "fear_gained": 0, "defeated": 0}
"""What a step that does not tell these means by it."""
_NUMBERS = {"hope", "hope_max", "stress", "stress_max", "hp", "hp_max", "armor", "armor_max", "level", "evasion"}


def who(step: Mapping[str, Any], state: Mapping[str, Any]) -> str:
    """Return the id of the character who acts, or "" if the GM does."""
    named = step.get("who", step.get("target", ""))
    return named if named in state["party"] else ""


def prepared(step: Mapping[str, Any], state: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Return the changes before a step: none, because `given` says everything that these steps need."""
    return []


# -- steps ----------------------------------------------------------------------------------------------


def procedure(step: Mapping[str, Any], state: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the id of the procedure that a step means, and the step's answers, with its dice by roll."""
    ident, answers, dice = _SAID[step["do"]](step, state)
    return ident, {**answers, "dice": {"": {}, **dice}}


Said = tuple[str, dict[str, Any], dict[str, Any]]


def _duality(
    roll: Mapping[str, Any], state: Mapping[str, Any], who: str, part: str = ""
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the answers and dice of a Duality roll. All sources of advantage are named; conditions add none."""
    answers = {f"{part}{key}": roll[key] for key in ("trait", "modifier", "extra", "later") if key in roll}
    answers |= {f"{part}{key}": roll.get(key, 0) for key in ("advantage", "disadvantage")}
    if roll.get("experiences"):
        answers[f"{part}experiences"] = roll["experiences"]
    dice = {f"{part}dice": dict(roll.get("dice", {}))}
    if "reroll" in roll:
        answers[f"{part}reroll"] = list(roll["reroll"])
        dice[f"{part}reroll_dice"] = dict(roll["reroll"])
    if "later_dice" in roll:
        dice[f"{part}later_dice"] = {"later": roll["later_dice"]}
    return answers, dice


def _helped(step: Mapping[str, Any], answers: dict[str, Any], dice: dict[str, Any]) -> None:
    if step.get("help"):
        answers["help"] = list(step["help"])
        dice["dice"] |= {f"help_{one}": face for one, face in step["help"].items()}


def _action(step: Mapping[str, Any], state: Mapping[str, Any]) -> Said:
    answers, dice = _duality(step, state, step["who"])
    _helped(step, answers, dice)
    return "action/roll", {**answers, "difficulty": step.get("difficulty", 0)}, dice


def _reaction(step: Mapping[str, Any], state: Mapping[str, Any]) -> Said:
    answers, dice = _duality(step, state, step["who"])
    answers |= {key: step[key] for key in ("difficulty", "damage") if key in step}
    return "action/reaction", answers, dice


def _group(step: Mapping[str, Any], state: Mapping[str, Any]) -> Said:
    answers, dice = _duality(step, state, step["who"])
    _helped(step, answers, dice)
    answers |= {"difficulty": step["difficulty"], "participants": list(step["participants"])}
    for one, roll in step["participants"].items():
        more, faces = _duality(roll, state, one, f"{one}.")
        answers |= more
        dice |= faces
    return "action/group", answers, dice


def _tag_team(step: Mapping[str, Any], state: Mapping[str, Any]) -> Said:
    answers: dict[str, Any] = {key: step[key] for key in ("partner", "difficulty", "choose") if key in step}
    if facing(state):
        answers["targets"] = []
    dice: dict[str, Any] = {}
    for one, roll in step["rolls"].items():
        more, faces = _duality(roll, state, one, f"{one}.")
        answers |= more
        dice |= faces
    return "action/tag_team", answers, dice


def _plain(ident: str) -> Any:
    """Return the translation of a step whose keys are those of the prompts."""

    def said(step: Mapping[str, Any], state: Mapping[str, Any]) -> Said:
        answers = {key: value for key, value in step.items() if key in KEYS[step["do"]] - {"dice"}}
        return ident, answers, {"": dict(step.get("dice", {}))}

    return said


def _by_whom(own: str, gms: str) -> Callable[[Mapping[str, Any], Mapping[str, Any]], Said]:
    """Return the procedure of a character on the own sheet, or of the GM for an adversary."""

    def said(step: Mapping[str, Any], state: Mapping[str, Any]) -> Said:
        _, answers, dice = _plain(own)(step, state)
        if who(step, state):
            answers.pop("target", None)
            return own, answers, dice
        return gms, answers, dice

    return said


def _damage_roll(step: Mapping[str, Any], state: Mapping[str, Any]) -> Said:
    return _by_whom("harm/roll", "gm/damage")({"critical": False, **step}, state)


def _take_damage(step: Mapping[str, Any], state: Mapping[str, Any]) -> Said:
    ident, answers, dice = _by_whom("harm/take", "gm/harm")(step, state)
    if "amounts" in answers:
        first, *rest = answers.pop("amounts")
        answers |= {"amount": first, "more": sum(rest)}
    if "armor" in answers:
        answers["armor"] = f"slot_{answers['armor']}" if answers["armor"] else NO_SLOT
    return ident, answers, dice


def _condition(step: Mapping[str, Any], state: Mapping[str, Any]) -> Said:
    ident, answers, dice = _by_whom("sheet/condition", "gm/condition")(step, state)
    if step.get("add", CONDITIONS[0]) not in CONDITIONS:
        answers |= {"add": OTHER, "other": step["add"]}
    return ident, {**answers, "way": "remove" if "remove" in step else "add"}, dice


def _adversary_attack(step: Mapping[str, Any], state: Mapping[str, Any]) -> Said:
    answers = {key: step[key] for key in ("targets", "experiences", "group") if key in step}
    answers |= {key: step.get(key, 0) for key in ("advantage", "disadvantage")}
    return "gm/attack", {**answers, "adversary": step["who"]}, {"": dict(step.get("dice", {}))}


def _rest(step: Mapping[str, Any], state: Mapping[str, Any]) -> Said:
    answers = {key: step[key] for key in ("kind", "interrupted", "countdown") if key in step}
    if facing(state):
        answers["anyway"] = step.get("anyway", True)
    dice = dict(step.get("dice", {}))
    for one, moves in step.get("moves", {}).items():
        for n, move in enumerate(moves, 1):
            assert set(move) <= {"move", "die", "target", "countdown"}, f"nobody knows the keys of {move}"
            answers[f"{one}.{n}"] = move["move"]
            answers |= {f"{one}.{n}.{key}": move[key] for key in ("target", "countdown") if key in move}
            if "die" in move:
                dice[f"{one}_{n}"] = move["die"]
    return "rest/rest", answers, {"": dice}


def _death(step: Mapping[str, Any], state: Mapping[str, Any]) -> Said:
    ident, answers, dice = _plain("harm/death_move")(step, state)
    if "clear" in answers:
        left = step["dice"]["hope"] - sum(answers["clear"].values())
        answers["clear"] = {**answers["clear"], **({"lost": left} if left > 0 else {})}
    return ident, answers, dice


def _level_up(step: Mapping[str, Any], state: Mapping[str, Any]) -> Said:
    answers: dict[str, Any] = {}
    if "experience" in step:
        answers["experience"] = step["experience"]
    for n, one in enumerate(step["advancements"], 1):
        assert set(one) <= {"take", "tier", "traits", "experiences"}, f"nobody knows the keys of {one}"
        answers |= {f"{n}.{key}": value for key, value in one.items() if key != "tier"}
        if "tier" in one:
            answers[f"{n}.tier"] = f"tier_{one['tier']}"
    return "level/level_up", answers, {}


def _battle(step: Mapping[str, Any], state: Mapping[str, Any]) -> Said:
    answers = {key: step[key] for key in ("pcs", "adjust") if key in step}
    return "gm/battle_points", {**answers, **step.get("adversaries", {})}, {}


_SAID: dict[str, Any] = {
    "action_roll": _action,
    "verdict": _plain("action/verdict"),
    "reaction_roll": _reaction,
    "group_roll": _group,
    "tag_team": _tag_team,
    "damage_roll": _damage_roll,
    "take_damage": _take_damage,
    "mark_stress": _by_whom("harm/stress", "gm/stress"),
    "clear": _by_whom("sheet/clear", "gm/clear"),
    "spend_hope": _plain("hope/spend_hope"),
    "spend_fear": _plain("gm/spend_fear"),
    "spotlight": _plain("gm/spotlight"),
    "condition": _condition,
    "adversary_attack": _adversary_attack,
    "rest": _rest,
    "death_move": _death,
    "level_up": _level_up,
    "countdown": _plain("countdown/move"),
    "gold": _plain("gold/gold"),
    "begin_session": _plain("story/session"),
    "battle_points": _battle,
}


def asked(step: Mapping[str, Any], state: Mapping[str, Any], key: str) -> Any:
    """Return one of the chances of a roll."""
    own = net(step.get("advantage", 0), step.get("disadvantage", 0))
    counted = odds(step["difficulty"], step.get("modifier", 0), own)
    return Fraction(getattr(counted, key), counted.total)


# -- the table ------------------------------------------------------------------------------------------


def given(table: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the effects that make this table, as a player who edits the sheet would enter them."""
    effects: list[dict[str, Any]] = []
    for key, value in table.items():
        if key == "settings":
            effects += [{"at": f"settings.{name}", "to": setting} for name, setting in value.items()]
        elif key in {"fear", "spotlight", "short_rests"}:
            effects.append({"at": key, "to": value})
        elif key == "party":
            effects += [{"at": "party", "add": _pc(name, one)} for name, one in value.items()]
        elif key == "adversaries":
            effects += [{"at": "adversaries", "add": _adversary(name, one)} for name, one in value.items()]
        elif key == "countdowns":
            effects += [{"at": "countdowns", "add": _countdown(name, one)} for name, one in value.items()]
        else:
            raise AssertionError(f"given: nobody knows the key {key}")
    if "fear" not in table and table.get("party"):
        effects.append({"at": "fear", "to": len(table["party"])})
    return effects


def _names(names: Any) -> dict[str, Any]:
    return {name: {} for name in names}


def _pc(name: str, one: Mapping[str, Any]) -> dict[str, Any]:
    new: dict[str, Any] = {"id": name, "name": name.capitalize()}
    level = one.get("level", 1)
    new["proficiency"] = tier(level)
    for key, value in one.items():
        if key in {*_NUMBERS, "threshold_bonus", "proficiency", "reduce"}:
            new[key] = value
        elif key == "traits":
            new |= value
        elif key == "marked_traits":
            new["marked"] = _names(value)
        elif key in {"conditions", "resist", "immune"}:
            new[key] = _names(value)
        elif key == "experiences":
            new[key] = {ident: {"name": ident, "bonus": bonus} for ident, bonus in value.items()}
        elif key == "gold":
            new["gold"] = value.get("handfuls", 0) + 10 * value.get("bags", 0) + 100 * value.get("chests", 0)
        elif key == "tag_team_used":
            new["tag_team"] = value
        elif key == "taken":
            new["taken"] = {box: {n: names.count(n) for n in names} for box, names in value.items()}
        elif key == "status":
            new |= (
                {"down": value}
                if value in {"death_move", "unconscious"}
                else {"status": "alive" if value == "up" else value}
            )
        elif key == "thresholds":
            bonus = one.get("threshold_bonus", 0)
            new["armor_base"] = {"major": value[0] - level - bonus, "severe": value[1] - level - bonus}
        elif key == "armor_base":
            new["armor_base"] = {"major": value[0], "severe": value[1]}
        else:
            raise AssertionError(f"given: nobody knows the key {key}")
    return new


def _adversary(name: str, one: Mapping[str, Any]) -> dict[str, Any]:
    new: dict[str, Any] = {"id": name, "name": name.capitalize()}
    for key, value in one.items():
        if key in {"conditions", "resist", "immune"}:
            new[key] = _names(value)
        elif key == "experiences":
            new[key] = {ident: {"name": ident, "bonus": bonus} for ident, bonus in value.items()}
        elif key == "thresholds":
            new["major"], new["severe"] = value
        else:
            assert key in _ADVERSARY, f"given: nobody knows the key {key}"
            new[key] = value
    return new


_ADVERSARY = {
    *("type", "difficulty", "attack", "hp", "hp_max", "stress", "stress_max", "reduce", "defeated"),
    *("minion", "count", "damage_each", "density"),
}


def _countdown(name: str, one: Mapping[str, Any]) -> dict[str, Any]:
    unknown = set(one) - {"kind", "value", "start", "loop", "active", "ended"}
    assert not unknown, f"given: nobody knows the key {unknown}"
    new = {key: value for key, value in one.items() if key != "active"}
    value = one.get("value", 4)
    return {
        "id": name,
        "name": name.capitalize(),
        "start": value,
        "value": value,
        **new,
        "paused": not one.get("active", True),
    }


def compare(state: Mapping[str, Any], wanted: Mapping[str, Any]) -> None:
    """Assert that the state has the wanted values; what is not named is not compared."""
    for key, value in wanted.items():
        if key in {"party", "adversaries", "countdowns"}:
            for name, one in value.items():
                for what, want in one.items():
                    _same(f"{key}.{name}.{what}", _SEEN[key](state[key][name], what), want, what)
        elif key == "settings":
            for name, want in value.items():
                _same(f"settings.{name}", state["settings"][name], want)
        else:
            assert key in {"fear", "spotlight", "short_rests"}, f"expect: nobody knows the key {key}"
            _same(key, state[key], value)


def _same(path: str, got: Any, want: Any, what: str = "") -> None:
    if what == "taken":
        want = {box: sorted(names) for box, names in want.items()}
    if isinstance(want, dict) and what in {"traits", "taken", "reduce"}:
        got = {key: got[key] for key in want}
    assert got == want, f"{path} is {got!r}, not {want!r}"


def _seen_pc(me: Mapping[str, Any], what: str) -> Any:
    match what:
        case "traits":
            return {trait: me[trait] for trait in TRAITS}
        case "marked_traits":
            return sorted(me["marked"])
        case "conditions":
            return conditions(me)
        case "resist" | "immune":
            return sorted(me[what])
        case "experiences":
            return {ident: one["bonus"] for ident, one in me["experiences"].items()}
        case "gold":
            return gold(me["gold"])
        case "tag_team_used":
            return me["tag_team"]
        case "taken":
            return {
                box: sorted(n for n, many in held.items() for _ in range(many)) for box, held in me["taken"].items()
            }
        case "status":
            return me["status"] if me["status"] != "alive" else me["down"] or "up"
        case "thresholds":
            return list(thresholds(me))
        case "armor_base":
            return [me["armor_base"]["major"], me["armor_base"]["severe"]]
        case "tier":
            return tier(me["level"])
        case "reduce":
            return dict(me["reduce"])
    assert what in {*_NUMBERS, "threshold_bonus", "proficiency"}, f"expect: nobody knows the key {what}"
    return me[what]


def _seen_adversary(one: Mapping[str, Any], what: str) -> Any:
    match what:
        case "conditions":
            return conditions(one)
        case "resist" | "immune":
            return sorted(one[what])
        case "experiences":
            return {ident: each["bonus"] for ident, each in one["experiences"].items()}
        case "thresholds":
            return list(thresholds(one))
        case "creatures":
            return creatures(one)
        case "reduced":
            return is_reduced(one)
        case "reduce":
            return dict(one["reduce"])
    assert what in _ADVERSARY, f"expect: nobody knows the key {what}"
    return one[what]


def _seen_countdown(one: Mapping[str, Any], what: str) -> Any:
    return not one["paused"] if what == "active" else one[what]


_SEEN: dict[str, Any] = {"party": _seen_pc, "adversaries": _seen_adversary, "countdowns": _seen_countdown}


def told(key: str, wanted: Any, got: Any) -> None:
    """Assert that what a step says about itself is what is wanted; fractions are compared by value."""
    if got is False:
        got = _NOTHING.get(key, got)
    if isinstance(got, Fraction):
        wanted = Fraction(wanted)
    assert got == wanted, f"{key} is {got!r}, not {wanted!r}"
