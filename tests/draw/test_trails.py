"""What happened, drawn over a board."""

from app.draw import Trail, trails

WHERE = {"a": (10.0, 10.0, 20.0), "b": (90.0, 10.0, 20.0)}


def test_a_way_is_an_arrow_and_a_place_a_ring_each_with_the_letter_of_its_seat():
    layer = trails([Trail(7, "red", ("a", "b")), Trail(8, "blue", ("b",))], ["a"], WHERE)
    assert layer.count("<path") == 3
    assert 'data-ply="7"' in layer
    assert ">R</text>" in layer
    assert ">B</text>" in layer
    assert 'data-spot="a"' in layer
    assert 'pointer-events="none" aria-hidden="true"' in layer


def test_places_that_the_board_has_not_are_left_out():
    assert trails([Trail(7, "red", ("x",))], ["y"], WHERE) == ""
    assert "<path" not in trails([Trail(7, None, ("x", "a"))], [], WHERE)


def test_a_way_back_to_its_beginning_can_be_drawn():
    assert "nan" not in trails([Trail(1, "red", ("a", "a"))], [], WHERE)
