"""Answers to prompts, for tests that do not care which."""

from hypothesis import strategies as st

from tracker.games.api.prompts import Answer, Choose, Confirm, Number, Pick, Prompt, Roll, Spread, Text


def fitting(prompt: Prompt) -> st.SearchStrategy[Answer]:
    """Return any answer that the prompt accepts."""
    match prompt:
        case Pick():
            return st.sampled_from(_free(prompt))
        case Choose():
            most = min(prompt.most, len(_free(prompt)))
            if not most:
                return st.just([])
            return st.lists(st.sampled_from(_free(prompt)), min_size=prompt.least, max_size=most, unique=True)
        case Spread():
            units = [option.key for option, limit in prompt.targets for _ in range(0 if option.reason else limit)]
            return st.permutations(units).map(
                lambda order: {key: order[: prompt.points].count(key) for key in set(order)}
            )
        case Number():
            return st.integers(prompt.low, prompt.high)
        case Text():
            return st.sampled_from(["Find the heir", "oath", "Ash"])
        case Confirm():
            return st.just(False) if prompt.reason else st.booleans()
        case Roll():
            return st.fixed_dictionaries(
                {
                    name: st.integers(1, sides)
                    if isinstance(sides, int)
                    else st.tuples(*(st.integers(1, each) for each in sides)).map(list)
                    for name, sides in prompt.dice.items()
                }
            )
    raise AssertionError(f"nobody knows how to answer {prompt}")


def _free(prompt: Pick | Choose) -> list[str]:
    return [option.key for option in prompt.options if not option.reason]
