"""24.3 gone wrong."""

from functools import partial

from wrong_answers import wrong

wrong = partial(wrong, "24.3")

HELD = "lease is not None and (lease.is_done or now < lease.until)"
NOT_ITS = "(request.worker, request.number) != (lease.worker, lease.number)"
UNTIL = "until=max(lease.until, now + seconds)"

wrong(
    "A lease has a holder, and the holder's name shows whose it is.",
    (NOT_ITS, "request.worker != lease.worker"),
    caught_by="test_a_new_process_of_the_same_name_is_another_holder",
    says="the name is the same, and the number 1 is not the newest",
)
wrong(
    "A number is given to one worker, so it is enough.",
    (NOT_ITS, "request.number != lease.number"),
    caught_by="test_a_number_of_somebody_elses_is_not_a_right",
    says="the newest lease is number 2, of bob",
)
wrong(
    "When a lease is over, anybody who has worked on the task may hand in.",
    (NOT_ITS, f"{NOT_ITS} and now < lease.until"),
    caught_by="test_a_stopped_worker_that_wakes_writes_nothing",
    says="The number decides, also when bob's time is over",
)
wrong(
    "Each lease has a number of its own, and the first one's was 1: a new holder gets it again.",
    ("lease.number + 1 if lease else 1", "lease.number if lease else 1"),
    caught_by="test_a_finished_item_gets_the_next_number",
    says="Without a greater number nobody could tell",
)
wrong(
    "Numbers count from 0.",
    ("lease.number + 1 if lease else 1", "lease.number + 1 if lease else 0"),
    caught_by="test_a_task_that_nobody_has_is_granted_with_the_first_number",
    says="ann has it for 60 seconds from now",
)
wrong(
    "A claim with the number that the lease has is a renewal.",
    (
        f"        if {HELD}:",
        f"        if {HELD} and not (\n            request.number == lease.number\n        ):",
    ),
    caught_by="test_a_claims_number_counts_for_nothing",
    says="is not proof",
)
wrong(
    "A lease that is over gives no right any more, so its finish is refused.",
    (NOT_ITS, f"{NOT_ITS} or now >= lease.until"),
    caught_by="test_after_its_time_the_newest_number_still_counts",
    says="her work is good, take it",
)
wrong(
    "A renewal adds to what is left.",
    (UNTIL, "until=lease.until + seconds"),
    caught_by="test_a_renewal_counts_from_now",
    says="Time that was left is not added",
)
wrong(
    "A renewal ends so many seconds from now, and now is what the clock says.",
    (UNTIL, "until=now + seconds"),
    caught_by="test_a_renewal_takes_nothing_away",
    says="ann had the task until 160. She still has",
)
wrong(
    "Of a done lease nothing is granted.",
    ('    if request.kind == "finish":', '    if request.kind == "finish" and not lease.is_done:'),
    caught_by="test_a_finish_may_be_said_twice",
    says="bob may not have heard the first answer",
)
wrong(
    "What is done is done: whoever says so is right, and hears yes.",
    (
        "    if lease is None or (request",
        '    if lease and lease.is_done and request.kind == "finish":\n'
        "        return lease\n"
        "    if lease is None or (request",
    ),
    caught_by="test_a_done_task_stays_done",
    says="ann asks to finish 1",
)
wrong(
    "Nobody has the task, so whoever finishes it has done it.",
    (
        "    if lease is None or (request",
        '    if lease is None and request.kind == "finish":\n'
        "        return Lease(request.worker, 1, now, True)\n"
        "    if lease is None or (request",
    ),
    caught_by="test_without_a_claim_there_is_nothing_to_renew_or_finish",
    says="nobody has claimed the task",
)
