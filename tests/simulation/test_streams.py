"""The streams are those of xoshiro128++, and they begin where they must."""

from croupier.simulation.generator import next_number
from croupier.simulation.streams import jump, stream_states

# The jump and the long jump that the generator's authors published, lowest word first.
JUMP = (0x8764000B, 0xF542D2D3, 0x6FA035C3, 0x77F2DB5B)
LONG_JUMP = (0xB523952E, 0x0B6F099F, 0xCCF5A0EF, 0x1C580662)


def words(polynomial: int) -> tuple[int, ...]:
    return tuple(polynomial >> 32 * word & 0xFFFFFFFF for word in range(4))


def test_jumps_are_those_that_the_authors_published() -> None:
    assert words(jump(64)) == JUMP
    assert words(jump(96)) == LONG_JUMP


def plain(state: list[int]) -> int:
    """Step the generator as its authors wrote it down."""

    def rotated(word: int, by: int) -> int:
        return (word << by | word >> 32 - by) & 0xFFFFFFFF

    result = (rotated((state[0] + state[3]) & 0xFFFFFFFF, 7) + state[0]) & 0xFFFFFFFF
    kept = state[1] << 9 & 0xFFFFFFFF
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= kept
    state[3] = rotated(state[3], 11)
    return result


def test_numbers_are_those_of_the_generator_as_its_authors_wrote_it_down() -> None:
    (state,) = stream_states(2011, 5, 1)
    twin = [int(word) for word in state]
    assert [int(next_number(state)) for _ in range(1000)] == [plain(twin) for _ in range(1000)]


def test_a_stream_begins_where_jumping_one_by_one_comes_to() -> None:
    all_of_them = stream_states(99, 0, 70)
    for stream in (1, 2, 3, 64, 69):
        assert stream_states(99, stream, 1)[0].tolist() == all_of_them[stream].tolist()


def test_seeds_have_streams_of_their_own() -> None:
    states = [tuple(stream_states(seed, 0, 1)[0].tolist()) for seed in (0, 1, 2, 2**64 - 1)]
    assert len(set(states)) == 4
    assert all(any(state) for state in states)
