"""The parts that all of mail shares: rows of letters and mails, contexts, and addresses."""
