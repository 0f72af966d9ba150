"""All sentences that players can see, each rendered with sample facts, and what a language lacks of them."""
