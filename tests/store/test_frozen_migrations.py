"""Landed migrations have run on databases: they are never edited, only followed by another."""

import hashlib

import pytest

from app.store.versions import MIGRATIONS

LANDED = {
    "0001_tables_of_the_house.py": "663791c638e1ecff4d69e9cf84dfeea5437f5dbe352e46b6f31951c8c591abb3",
    "0002_time_and_letters_in.py": "6b6aa72fb065f9e28caecbfdba9e8782b9d8a78ea4dfd9e5947d27e7d847f214",
    "0003_occasions_of_letters.py": "1632145d9423345edc87d9d7f2efb0ff2bfe4871ca3bb5fd7d9821c5474bab5f",
    "0004_relay_and_refusals.py": "3188f8abead5ad8ce8004c424a41d4c090c00dc5e98856a1390ab5482654059f",
    "0005_deeds.py": "52f23c5eff5ed7847d2ea3df52c04e1c5d07b6376f309a4939e87cb85e6d0148",
    "0006_senders_of_replies.py": "3f8ef52540bb0650ebdcfa3e98efb24008b06fe96eed24d45cd9b037d6e33299",
    "0007_limits_and_blocks.py": "6021b576b73a8a548fae228e15cce75863f741fd7cc13c98aee85f8396e84022",
    "0008_one_clock_law.py": "6fa8c8c916d519ee900f83fab4634366deed491c9a96b7bed6802c8691dc7b25",
    "0009_keys.py": "fc77198b361d6f8b9a219f557a99ff49aff717e1aa3eb2e44f629af783624a4a",
    "0010_counters.py": "dd4950f1fc2aad4b5b195492f13f0cb42af3d88aa914406f51cd9a4540ac6871",
    "0011_mail_passed_over.py": "6eb8bddaab4b7c72992bafb171e3f495cfd3179ca49e43535d3bbf68a96d7c89",
    "0012_sweeps_by_index.py": "69def8611223fa6e54432490ef8abb52f5c9d5a1961d8cb56a3beb15dfaaa556",
    "0013_credit_and_requests.py": "c230be293af3bd8a70dc4e6e520527214c2f558abe738d2a253c3ac5bfc3053c",
    "0014_address_changes_asked.py": "f6d21d637ce37c154ab9785dc237dc2e6d6d47bcf12cc58a013293f148bb6d08",
    "0015_what_is_needed_no_longer.py": "cf8dec330326357b446703b98a1a84bbdaf106af594e93a42ce6d23a75f34a98",
    "0016_joining_and_privacy.py": "c5d9c7aca74dffc18a65bdb3ed5ba66f9dd128fca1b79a086f72f278200c0d8e",
    "0017_questions_in_place.py": "2dccb5cc1f07aaf5cb769c73b6a57231a750f19792bf0350f321ce0aa829ad88",
    "0018_packed_events.py": "4d59b91f4cad59f55f2d24e58e1af171f2a64c0a94f9a7afef1a6e8b9a5f9355",
    "0019_letters_by_row.py": "c0471ec62920eb37c819ab904fad4adc560e665a2445c2f6f969390fb5aa7a8d",
    "0020_what_if.py": "5e7d670a7ec0e85fd6a0fc5667171d8a6ec482b3b570c026e63ef750ced6929a",
    "0021_matches_called_off.py": "ba7bad36638a375fba0d0946f199530b503bbffd6058c359d019fbd4612432b3",
    "0022_lists_by_index.py": "2facd67b382806a176c3f7c0228ab9a0310cd1be8a7859e56e8be1b1de4c4d98",
    "0023_notified_browsers.py": "0eb1d2abccebd96f1e2fc3bd3e732cb0d4cdc2e8f17ed012c3f6550e4aa5fc80",
    "0024_moments_as_numbers.py": "3e4723c6339fb9c2e923f3a5853595b11776fd2d4212029114c4205a21b68afa",
    "0025_short_rows_of_tokens.py": "93926618a399ff5cb756c41a5b06a487f05ad01c54c20ef81607dd702c4c0ef0",
    "0026_acts_of_the_operator.py": "bd9764b79a5f15a55f7c39930ee75ab8602cad18d3631cc257d2e6ffb92a3054",
    "0027_what_the_operator_does.py": "0161ad13e4c691c824643976cf18bde85d7930bb9d3804bd017cbce4281c7b0e",
    "0028_oldest_program.py": "ae6582e91a7284cc731f934226b87cf68e03f6a21e317b8f6c59f265a087e458",
    "0029_keys_of_programs.py": "c7df0b897dfdaf850e6d88c1584cbd558016a56d75f612f2589e114264a0a4af",
    "0030_webhooks.py": "23a950a29ad7a198c8abb0781cbf6487c3c7887b07c94bd29ffc5886dc941a63",
    "0031_languages_of_guests.py": "2756fe9051ea18f1ae289eecd66fc28aef1d2ea67de1c6ee4a97e1b865ffc9ef",
    "0032_matches_for_the_operator.py": "073b1cb3c22eca6ac0d733755d3a24110a5e9eb92cc2a925dd02197d049de798",
    "0033_people_gone_or_barred.py": "e00b8ce50922e5ebf124f7e01b028e181a0fe9e4e96915114c90abe45bfe4e11",
    "0034_languages_of_webhooks.py": "d7a4bf1bdacd70ca3115a8b47eb2a508700ff82c1b050f93ee24ca538cedbdaa",
    "0035_matches_from_elsewhere.py": "3d6ac9b22f6869dd630511bb36b0d3b8fcb077d920aa819fe6915e98ab7e6625",
}
"""The SHA-256 of each; a new migration is added in the commit that lands it."""
FILES = sorted((MIGRATIONS / "versions").glob("*.py"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_landed_migration_is_never_edited(file):
    assert hashlib.sha256(file.read_bytes()).hexdigest() == LANDED.get(file.name)


def test_no_landed_migration_is_removed():
    assert {file.name for file in FILES} == set(LANDED)
