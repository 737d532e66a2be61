"""The book of Complimentary Vigorish Forms: the series goes on, and nothing used is forgotten."""

from msgspec.structs import replace

from croupier.money.forms import Form, FormBook


def used(serial: int) -> Form:
    return Form(serial, "Pat", 500, "Bo", "Clark")


def test_a_form_moves_the_series_on_until_it_is_used_up() -> None:
    book = FormBook().received("Clark", 101, 102)
    assert book.unused == (101, 102)
    book = book.with_form(used(101))
    assert (book.next_serial, book.unused) == (102, (102,))
    book = book.with_form(used(102))
    assert (book.next_serial, book.unused) == (None, ())
    assert list(book.used) == [101, 102]


def test_a_form_that_is_changed_does_not_move_the_series_on() -> None:
    book = FormBook().received("Clark", 101, 103).with_form(used(101)).with_form(used(101))
    assert (book.custodian, book.next_serial, book.last_serial) == ("Clark", 102, 103)


def test_a_new_series_leaves_what_was_used_and_forwarded_as_it_is() -> None:
    book = FormBook().received("Clark", 101, 102).with_form(used(101)).after_forwarding((101,), ())
    book = book.with_form(used(102)).received("Clara", 201, 210)
    assert (book.custodian, book.unused) == ("Clara", tuple(range(201, 211)))
    assert (list(book.used), book.forwarded) == ([102], {101: 500})


def test_duplicates_are_forwarded_day_by_day_until_accounting_has_compared_them() -> None:
    book = FormBook().received("Clark", 101, 110).with_form(used(101)).after_forwarding((101,), ())
    assert (book.used, book.forwarded) == ({}, {101: 500})
    book = book.with_form(used(102)).after_forwarding((102,), ()).with_form(used(103))
    assert book.forwarded == {101: 500, 102: 500}
    compared = book.after_comparison()
    assert (compared.forwarded, compared.used) == ({}, {103: used(103)})
    assert (compared.custodian, compared.unused) == ("Clark", tuple(range(104, 111)))


def test_only_the_forms_of_a_seat_go_with_its_patron() -> None:
    book = FormBook().received("Clark", 101, 110)
    for serial, seat in ((101, 2), (102, 4), (103, 6), (104, 4)):
        book = book.with_form(replace(used(serial), seat=seat))
    moved = book.reseated(4, 5)
    assert {serial: form.seat for serial, form in moved.used.items()} == {
        101: 2, 102: 5, 103: 6, 104: 5,
    }  # fmt: skip
    assert (moved.next_serial, moved.custodian) == (105, "Clark")
    assert moved.reseated(5, 0).used[104] == replace(used(104), seat=0)


def test_where_a_seat_has_no_form_the_book_is_the_same() -> None:
    book = FormBook().received("Clark", 101, 110).with_form(replace(used(101), seat=2))
    assert book.reseated(3, 1) is book
