"""A match as a text file: written, read, checked, set up again. `app/games/README.md` describes the form.

The pure part (`form`, `writing`, `reading`, `replaying`, `verifying`) needs the rules alone; `export`,
`sight` and `bringing` know the store.
"""
