"""Two and three copies of a campaign, over real sockets: what one enters, all have."""

import asyncio
import os
import re
import shlex
from pathlib import Path

import pytest
from tests.coop.players import KARA, Player, hosted, joined, play, same, until

from tracker.campaign.own_seat import code_here
from tracker.coop import lines
from tracker.coop.arrival import window_copy
from tracker.coop.company import Company
from tracker.coop.guest import Guest
from tracker.coop.web_host import WebHost
from tracker.games.common import seats
from tracker.saves.save import Save


async def at_table(*guests: Guest) -> None:
    await until(lambda: all(guest.status == "here" for guest in guests))


class TestTogether:
    def test_entry_of_one_player_reaches_all(self, ana: Player, bob: Player, cyd: Player) -> None:
        async def evening() -> None:
            ana.session.write("The ford at dusk.")
            async with hosted(ana) as host, joined(bob, host) as one, joined(cyd, host) as two:
                await at_table(one, two)
                ana.session.do("change", [{"at": "kara.health", "by": -1}])
                bob.session.do("change", [{"at": "supply", "by": -1}])
                cyd.session.write("I was here.")
                await until(lambda: same(ana, bob, cyd) and not (one.to_share or two.to_share))
                assert bob.session.state == ana.session.state == cyd.session.state
                assert (bob.session.state["party"]["kara"]["health"], bob.session.state["supply"]) == (4, 4)
                assert ana.bytes_of_entries == bob.bytes_of_entries == cyd.bytes_of_entries
                assert {entry.get("by") for entry in ana.heard} == {"bob", "cyd"}
                assert [one.name for one in host.present] == ["Ana", "Bob", "Cyd"]
                await until(lambda: [one.name for one in two.present] == ["Ana", "Bob", "Cyd"])

        play(evening())

    def test_two_who_play_apart_are_even_after_a_reunion(self, ana: Player, bob: Player) -> None:
        async def evening() -> None:
            async with hosted(ana) as host, joined(bob, host) as one:
                await at_table(one)
            for _ in range(3):
                ana.session.do("change", [{"at": "supply", "by": -1}])
                bob.session.do("change", [{"at": "kara.spirit", "by": -1}])
            async with hosted(ana) as host, joined(bob, host) as one:
                await at_table(one)
                await until(lambda: same(ana, bob) and not one.to_share)
                assert ana.session.state == bob.session.state
                assert (bob.session.state["supply"], bob.session.state["party"]["kara"]["spirit"]) == (2, 2)

        play(evening())

    def test_a_reunion_sends_only_what_is_missing(self, ana: Player, bob: Player) -> None:
        async def evening() -> None:
            for n in range(300):
                ana.session.write(f"Line {n}.")
            async with hosted(ana) as host, joined(bob, host) as one:
                await at_table(one)
            for n in range(20):
                ana.session.write(f"More {n}.")
            sent: list[str] = []
            async with hosted(ana) as host:
                meet = host.meet

                async def counted(line: lines.Line) -> None:
                    send = line.send

                    async def count(frame: str) -> None:
                        sent.append(frame)
                        await send(frame)

                    line.send = count  # type: ignore[method-assign]
                    await meet(line)

                host._listeners[0]._meet = counted
                async with joined(bob, host) as one:
                    await at_table(one)
                    await until(lambda: same(ana, bob))
            assert sum(map(len, sent)) < 20 * 300 + 40 * 4 + 1000

        play(evening())

    def test_a_cut_line_comes_back_and_loses_nothing(self, ana: Player, bob: Player) -> None:
        async def evening() -> None:
            async with hosted(ana) as host, joined(bob, host) as one:
                await at_table(one)
                host.guests[0].line._socket.transport.abort()  # type: ignore[attr-defined]
                await until(lambda: one.status == "away")
                bob.session.write("Alone.")
                ana.session.write("Alone, too.")
                await at_table(one)
                await until(lambda: same(ana, bob) and not one.to_share)
                assert any("play on alone" in said for said in bob.said)

        play(evening())

    def test_any_copy_can_replace_a_host(self, ana: Player, bob: Player, cyd: Player) -> None:
        async def evening() -> None:
            async with hosted(ana) as host, joined(bob, host) as one, joined(cyd, host) as two:
                await at_table(one, two)
                bob.session.write("Before.")
                await until(lambda: same(ana, bob, cyd))
            async with hosted(bob) as host, joined(cyd, host) as two, joined(ana, host) as third:
                await at_table(two, third)
                cyd.session.write("After.")
                await until(lambda: same(ana, bob, cyd))
                assert ana.session.by == "ana"
                assert bob.session.state["seats"]["ana"]["role"] == "gm"

        play(evening())

    def test_the_host_passes_nothing_on_before_it_is_saved(self, ana: Player, bob: Player, cyd: Player) -> None:
        async def evening() -> None:
            async with hosted(ana) as host, joined(bob, host) as one, joined(cyd, host) as two:
                await at_table(one, two)
                await until(lambda: same(ana, bob, cyd))
                ana.session._writer.hold("No space left on device")
                bob.session.write("Is it safe?")
                await until(lambda: len(ana.session.log.entries) > len(cyd.session.log.entries))
                await until(lambda: one.trouble and two.trouble)
                assert one.to_share
                assert any("Ana can't save: No space left on device." in said for said in cyd.said)
                ana.session._writer.resume(ana.session._writer.waiting())
                await until(lambda: same(ana, bob, cyd) and not one.to_share)
                await until(lambda: not two.trouble)

        play(evening())

    def test_a_spectator_follows_and_sends_nothing(self, ana: Player, bob: Player) -> None:
        async def evening() -> None:
            async with hosted(ana) as host, joined(bob, host, "spectator") as one:
                await at_table(one)
                bob.session.write("Only mine.")
                ana.session.write("For all.")
                await until(lambda: any(entry.get("text") == "For all." for entry in bob.session.log.entries))
                assert not any(entry.get("text") == "Only mine." for entry in ana.session.log.entries)
                assert "bob" not in ana.session.state["seats"]

        play(evening())


class TestSeats:
    def test_the_host_is_asked_once_and_the_key_is_enough_later(self, ana: Player, bob: Player) -> None:
        async def evening() -> None:
            async with hosted(ana) as host:
                async with joined(bob, host) as one:
                    await at_table(one)
                async with joined(bob, host) as one:
                    await at_table(one)
            assert [(knock.name, knock.returns) for knock in ana.knocks] == [("Bob", False)]
            assert ana.session.state["seats"]["bob"]["key"] == bob.key.public

        play(evening())

    def test_guest_who_is_not_let_in_gets_nothing(self, ana: Player, bob: Player) -> None:
        async def evening() -> None:
            ana.answer = False
            async with hosted(ana) as host, joined(bob, host) as one:
                await until(lambda: one.status == "refused")
                assert one.why == "The host didn't let you in."
                assert not bob.session.log.entries
                assert [*ana.session.state["seats"]] == ["ana"]

        play(evening())

    def test_the_name_alone_does_not_open_a_seat(self, ana: Player, bob: Player, tmp_path: Path) -> None:
        async def evening() -> None:
            async with hosted(ana) as host, joined(bob, host) as one:
                await at_table(one)
                eve = Player(tmp_path / "Ana", "Bob")
                eve.copy_of(ana)
                async with joined(eve, host) as other:
                    await until(lambda: other.status == "refused")
                    assert other.why == "Bob is here already; join with another name: --as NAME."
                eve.close()

        play(evening())

    def test_a_new_computer_of_a_known_player_is_asked_about(self, ana: Player, bob: Player, tmp_path: Path) -> None:
        async def evening() -> None:
            async with hosted(ana) as host:
                async with joined(bob, host) as one:
                    await at_table(one)
                await until(lambda: not host.guests)
                again = Player(tmp_path / "Bob", "bob")
                again.copy_of(ana)
                async with joined(again, host) as other:
                    await at_table(other)
                    assert ana.knocks[-1].returns
                    assert [*ana.session.state["seats"]] == ["ana", "bob"]
                    assert ana.session.state["seats"]["bob"]["key"] == again.key.public
                again.close()

        play(evening())

    def test_maker_of_a_character_plays_it_and_others_ask_first(self, ana: Player, bob: Player, cyd: Player) -> None:
        async def evening() -> None:
            async with hosted(ana) as host, joined(bob, host) as one, joined(cyd, host) as two:
                await at_table(one, two)
                bob.session.do("new", [{"at": "party", "add": {**KARA, "id": "orm", "name": "Orm"}}])
                await until(lambda: seats.holder(cyd.session.state, "orm") == "bob")
                cyd.session._may_act = lambda who: None  # type: ignore[method-assign]
                cyd.session.do("change", [{"at": "orm.health", "by": -1}], who="orm")
                await until(lambda: two.waiting)
                assert [*two.waiting.values()] == ["it acts for a character of Bob"]
                assert ana.session.state["party"]["orm"]["health"] == 5
                host.trust(next(guest for guest in host.guests if guest.seat.id == "cyd"))
                await until(lambda: bob.session.state["party"]["orm"]["health"] == 4 and not two.to_share)

        play(evening())

    def test_entries_of_others_brought_by_a_guest_wait_for_consent(self, ana: Player, bob: Player, cyd: Player) -> None:
        async def evening() -> None:
            async with hosted(ana) as host, joined(bob, host) as one, joined(cyd, host) as two:
                await at_table(one, two)
            cyd.session.write("Made apart.")
            async with hosted(bob) as host, joined(cyd, host) as two:
                await at_table(two)
                await until(lambda: same(bob, cyd))
            async with hosted(ana) as host, joined(bob, host) as one:
                await at_table(one)
                await until(lambda: one.waiting)
                assert not same(ana, bob)
                host.trust(host.guests[0])
                await until(lambda: same(ana, bob) and not one.to_share)

        play(evening())


class TestFiles:
    def test_an_entry_deleted_by_hand_comes_back(self, ana: Player, bob: Player) -> None:
        async def evening() -> None:
            async with hosted(ana) as host, joined(bob, host) as one:
                await at_table(one)
                bob.session.write("Keep me.")
                bob.session.write("And me.")
                await until(lambda: same(ana, bob) and not one.to_share)
                bob.session.wait()
                text = Path(bob.path).read_text()
                cut = re.sub(
                    r"\n\[\[entry\]\](?:(?!\n\[\[entry\]\]).)*?Keep me\..*?#= \d+ \w+\n", "\n", text, flags=re.DOTALL
                )
                assert cut != text
                Path(bob.path).write_text(cut)
                bob.session.refresh()
                assert not any(entry.get("text") == "Keep me." for entry in bob.session.log.entries)
                await until(lambda: any(entry.get("text") == "Keep me." for entry in bob.session.log.entries))
                assert ana.session.state == bob.session.state

        play(evening())

    def test_an_entry_edited_by_hand_is_set_aside_for_the_hosts(self, ana: Player, bob: Player) -> None:
        async def evening() -> None:
            async with hosted(ana) as host, joined(bob, host) as one:
                await at_table(one)
                ana.session.write("A hundred wolves.")
                await until(lambda: same(ana, bob))
                bob.session.wait()
                text = Path(bob.path).read_text()
                Path(bob.path).write_text(text.replace("A hundred wolves", "Two wolves"))
                bob.session.refresh()
                await until(lambda: any("differ from the host's" in said for said in bob.said))
                await until(lambda: one.status == "here" and same(ana, bob))
                assert [entry["text"] for entry in bob.bytes_of_entries if "wolves" in entry.get("text", "")] == [
                    "A hundred wolves."
                ]
                (aside,) = [name for name in os.listdir(bob.folder) if "refused" in name]
                assert "Two wolves" in (bob.folder / aside).read_text()

        play(evening())

    def test_a_restored_backup_gets_what_it_lacks(self, ana: Player, bob: Player) -> None:
        async def evening() -> None:
            async with hosted(ana) as host, joined(bob, host) as one:
                await at_table(one)
                bob.session.wait()
                old = Path(bob.path).read_bytes()
                for n in range(5):
                    bob.session.write(f"Line {n}.")
                await until(lambda: same(ana, bob) and not one.to_share)
            bob.close()
            Path(bob.path).write_bytes(old)
            bob.open()
            async with hosted(ana) as host, joined(bob, host) as one:
                await at_table(one)
                await until(lambda: same(ana, bob))

        play(evening())


@pytest.fixture(params=["an absolute path", "a relative path", "a zero byte"])
def odd_id(request: pytest.FixtureRequest, victim: Path) -> str:
    """An id for a campaign, made by somebody who wants another file to be overwritten."""
    if request.param == "a zero byte":
        return "a\0b"
    return str(victim) if request.param == "an absolute path" else f"../../../../{victim.name}"


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    path = tmp_path / "victim"
    path.write_text("Mine.")
    return path


class TestOddIds:
    def test_hosting_writes_its_code_nowhere_else(self, ana: Player, odd_id: str, victim: Path) -> None:
        ana.close()
        Path(ana.path).unlink()
        Save.create(ana.path, ana.session.save.head._replace(id=odd_id, base=None))

        async def evening() -> None:
            company = Company(ana.open(), Silent(), "Ana")
            await company.host()
            assert code_here(odd_id) == (company.invitation, "Ana")
            assert victim.read_text() == "Mine."
            await company.part()
            assert code_here(odd_id) == ("", "")
            assert victim.read_text() == "Mine."

        play(evening())

    def test_copy_of_a_second_window_is_in_the_data_folder(self, ana: Player, odd_id: str, tmp_path: Path) -> None:
        path = Path(window_copy(odd_id, "ironsworn", "vale")).resolve()
        assert path.parent.parent == tmp_path / "data" / "tracker" / "coop" / "windows"

    def test_copy_of_a_browser_is_in_the_data_folder(self, ana: Player, odd_id: str, tmp_path: Path) -> None:
        ana.close()
        Path(ana.path).unlink()
        Save.create(ana.path, ana.session.save.head._replace(id=odd_id, base=None))
        words = shlex.split(WebHost(ana.open(), ana.said.append)._command("Bob"))
        path = Path(words[words.index("--saves") + 1]).resolve()
        assert path.parent.parent == tmp_path / "data" / "tracker" / "coop" / "browsers"


class Silent:
    """A frontend that shows nothing."""

    def company_changed(self) -> None: ...
    def company_says(self, sentence: str) -> None: ...
    def company_entered(self, news: str, *, reunion: bool) -> None: ...


def test_the_same_thing_finished_by_two_counts_once(ana: Player, bob: Player) -> None:
    async def evening() -> None:
        async with hosted(ana) as host, joined(bob, host) as one:
            await at_table(one)
            opened = ana.session.put(ana.session.new_entry(who="kara", did="face_danger", open=True))
            await until(lambda: same(ana, bob))
        for player in (ana, bob):
            gain = [{"at": "kara.momentum", "by": 1}]
            player.session.put(player.session.new_entry(did="face_danger", closes=opened["id"], effects=gain))
        async with hosted(ana) as host, joined(bob, host) as one:
            await at_table(one)
            await until(lambda: same(ana, bob) and not one.to_share)
            assert ana.session.state["party"]["kara"]["momentum"] == 3
            assert bob.session.state == ana.session.state

    play(evening())


def test_tasks_end_with_the_event_loop(ana: Player) -> None:
    async def evening() -> None:
        async with hosted(ana):
            await asyncio.sleep(0)

    play(evening())
    ana.session.write("After hours.")
    assert ana.session.settle().word == "saved"
