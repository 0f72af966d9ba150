"""Emails out and in: letters to players, their replies, bounces and unsubscribing.

core: the rows of letters (`outbox`) and of incoming mail (`inbox`), addresses, and the context of a letter.
letters: the kinds of letters and their writers. `kinds` is the registry: a new kind is one entry there.
policy: the decision whether a letter goes now, by its reader's settings; a player's history; unsubscribing.
outbound: a letter's way from its claim to the mail server.
inbound: a mail's way from the listener or a mailbox to the moves that it makes.
bounces: notices of letters that were not delivered.

Play and people enqueue letters by `app.store.outbox`. Facts about matches that letters need come from
`app.play.views.letter_facts`.
"""
