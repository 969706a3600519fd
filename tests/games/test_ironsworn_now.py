"""Which moves are suggested now, under which numbers; and who is named in the outcome of one."""

from typing import Any

import pytest

from tracker.campaign.fold import fold, start
from tracker.games.ironsworn import GAME

KARA = {"id": "kara", "name": "Kara"}
BRYNJA = {"id": "brynja", "name": "Brynja"}


def table(*effects: dict[str, Any], people: tuple[dict[str, Any], ...] = (KARA,)) -> Any:
    """Return a state with these people, a vow, a journey and a wolf, after these effects."""
    tracks = [{"id": kind, "name": kind, "kind": kind, "rank": "dangerous"} for kind in ("vow", "journey", "fight")]
    laid = [{"at": "party", "add": one} for one in people] + [{"at": "tracks", "add": one} for one in tracks]
    return fold(GAME.top, start(GAME.top), [*laid, *effects])


def offered(state: Any) -> dict[str, tuple[str, str]]:
    return {action.key: (action.label, action.reason) for action in GAME.now(state, "kara")}


def test_vow_with_a_bonus_is_suggested_first() -> None:
    bonus = {"at": "kara.waiting.swear_an_iron_vow", "by": 1}
    calm = {"at": "kara.initiative", "to": "none"}
    labels = [label for label, _ in offered(table(calm, bonus)).values()]
    assert labels.index("Swear an Iron Vow") < labels.index("Face Danger")
    labels = [label for label, _ in offered(table(calm)).values()]
    assert labels.index("Face Danger") < labels.index("Swear an Iron Vow")


class TestFightSuggestions:
    WITH = ("Strike", "Secure an Advantage", "End the Fight", "Face Danger", "Gather Information")
    WITHOUT = ("Clash", "Face Danger", "Turn the Tide", "Secure an Advantage", "End the Fight", "Gather Information")

    @pytest.mark.parametrize("latest", ["", "miss", "weak hit", "strong hit"])
    @pytest.mark.parametrize("ticks", [0, 40])
    @pytest.mark.parametrize("tide", [False, True])
    @pytest.mark.parametrize(("initiative", "moves"), [("you", WITH), ("foe", WITHOUT)])
    def test_moves_of_a_fight_keep_their_order_and_disabled_ones_come_last(
        self, initiative: str, moves: tuple[str, ...], tide: bool, ticks: int, latest: str
    ) -> None:
        now = offered(
            table(
                {"at": "kara.initiative", "to": initiative},
                {"at": "kara.latest", "to": latest},
                {"at": "kara.tide", "to": tide},
                {"at": "tracks.fight.ticks", "to": ticks},
                {"at": "tracks.journey.ticks", "to": ticks},
                {"at": "tracks.vow.ticks", "to": ticks},
            )
        )
        if ticks and latest == "strong hit":
            moves = ("End the Fight", *(move for move in moves if move != "End the Fight"))
        reasons = dict(now.values())
        assert tuple(label for label, reason in now.values() if label in moves) == tuple(
            sorted(moves, key=lambda move: bool(reasons[move]))
        )
        assert [bool(reason) for _, reason in now.values()] == sorted(bool(reason) for _, reason in now.values())
        assert [key for key in now if key] == [f"m{n}" for n in range(1, min(len(now), 9) + 1)]
        assert reasons["End the Fight"] == ("" if latest == "strong hit" else "needs a strong hit")
        assert reasons.get("Turn the Tide", "") == ("used in this fight" if tide and initiative == "foe" else "")

    def test_moves_that_need_initiative_are_disabled_without_it(self) -> None:
        foe = table({"at": "kara.initiative", "to": "foe"}, people=(KARA, BRYNJA))
        reasons = {label: reason for label, reason in offered(foe).values() if label != "End the Fight"}
        assert {label for label, reason in reasons.items() if reason} == {"Secure an Advantage", "Aid Your Ally"}
        assert reasons["Secure an Advantage"] == reasons["Aid Your Ally"] == "no initiative"
        panel = GAME.fight(foe, "kara")
        assert panel
        assert [m.label for m in panel.moves if not m.reason] == ["Clash", "Face Danger", "Turn the Tide"]
        mine = GAME.fight(table({"at": "kara.initiative", "to": "you"}, people=(KARA, BRYNJA)), "kara")
        assert mine
        free = [move.label for move in mine.moves if not move.reason]
        assert free == ["Strike", "Secure an Advantage", "Face Danger", "Aid Your Ally"]

    def test_secure_an_advantage_is_enabled_outside_a_fight(self) -> None:
        over = table({"at": "kara.initiative", "to": "foe"}, {"at": "tracks.fight.status", "to": "won"})
        assert dict(offered(over).values())["Secure an Advantage"] == ""

    @pytest.mark.parametrize("initiative", ["you", "foe"])
    def test_journeys_are_not_suggested_in_a_fight(self, initiative: str) -> None:
        now = offered(table({"at": "kara.initiative", "to": initiative}, {"at": "tracks.journey.ticks", "to": 40}))
        assert not {"Undertake a Journey", "Reach Your Destination"} & {label for label, _ in now.values()}
        assert "Undertake a Journey" in {label for label, _ in offered(table()).values()}

    def test_fight_without_foes_suggests_no_fight_moves(self) -> None:
        now = offered(table({"at": "kara.initiative", "to": "you"}, {"at": "tracks.fight.status", "to": "won"}))
        assert not {"Strike", "End the Fight"} & {label for label, _ in now.values()}


class TestNamesInChanges:
    def test_everybody_is_named_if_several_change(self) -> None:
        before = table(people=(KARA, BRYNJA))
        after = fold(
            GAME.top,
            before,
            [
                {"at": "kara.momentum", "by": 1},
                {"at": "kara.owed.endure_stress_1", "by": 1},
                {"at": "brynja.waiting.undertake_a_journey", "by": 1},
            ],
        )
        told = GAME.changes(before, after, "kara")
        assert told == [
            "Kara: momentum 2 → 3",
            "Kara: due: Endure Stress (1)",
            "Brynja: +1 on Undertake a Journey",
        ]
        assert GAME.changes(after, before, "kara")[1:] == ["Kara: done: Endure Stress (1)", "Brynja: +1 used"]

    def test_acting_character_is_not_named_alone(self) -> None:
        before = table(people=(KARA, BRYNJA))
        after = fold(GAME.top, before, [{"at": "kara.momentum", "by": 1}, {"at": "kara.waiting.any", "by": 1}])
        assert GAME.changes(before, after, "kara") == ["momentum 2 → 3", "+1 on the next move"]
