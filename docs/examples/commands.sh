# One call or two of every command, in an order in which they run, in the folder of `croupier samples`.
# `croupier COMMAND --help` shows those of the command. A note says what else a call needs, and why one fails.
croupier samples --force
croupier help faq
croupier help burn card
croupier help --search commission --format json
croupier doctor
croupier doctor --store pit.sqlite  # needs a store
croupier completion bash
croupier schema par

croupier law list
croupier law show us-nj/minibaccarat@2011-02-22 '7.5(e)'
croupier law show us-nj/minibaccarat@latest vigorish.scheme
croupier law search commission
croupier law acts CorrectMisreadCard
croupier law elections us-nj/minibaccarat@latest
croupier law compare us-nj/minibaccarat@2011-02-22 us-ma/minibaccarat@latest
croupier law diff us-nj/minibaccarat@latest us-ma/minibaccarat@latest --only value
croupier law history us-nj/minibaccarat
croupier law interpretations --electable
croupier law coverage --law us-nj/minibaccarat@latest --gaps
croupier law test docs/examples/scenarios
croupier law amend us-nj/minibaccarat --on 2011-02-23 -o drafts/minibaccarat@2011-02-23.toml
croupier law check drafts/minibaccarat@2011-02-23.toml
croupier law new xx-harbor/minibaccarat --from us-nj/minibaccarat@2011-02-22 --on 2020-01-01 -o drafts
croupier law pack laws --key office.key -o harbor.croupierlaw  # needs law files of your own
croupier law add harbor.croupierlaw --key office.key.pub -o received  # needs a pack

croupier new us-nj/minibaccarat@latest --vigorish 4% -o table.toml
croupier check submissions/nj-minibaccarat.toml --checklist
croupier check docs/examples/refused.toml  # exit status 1: five errors, each with its clause
croupier layout submissions/nj-minibaccarat.toml -o layout.svg
croupier submission diff submissions/nj-minibaccarat.toml submissions/nj-minibaccarat-4-percent.toml

croupier par --submission submissions/nj-minibaccarat.toml
croupier par --law us-nj/minibaccarat@2011-02-22 --wager tie --format json
croupier par check docs/examples/vendor-par.csv --submission submissions/nj-minibaccarat.toml --map "Dragon Bonus (Player)=bonus_player"  # exit status 1: a figure is wrong
croupier par compare submissions/nj-minibaccarat.toml submissions/ma-ez.toml
croupier par sweep us-nj/minibaccarat@2011-02-22 --wager bonus_player
croupier par blackjack submissions/nj-blackjack-streak.toml --results win=43,push=9,lose=48
croupier odds --law us-nj/minibaccarat@2011-02-22 --player 9h,2c --banker Kd,4s --shoe 8
croupier design docs/examples/lucky-6.toml --law us-nj/minibaccarat@2011-02-22 --pays three_cards=20..30 --edge 5%..15%
croupier count --wager tie --submission submissions/nj-minibaccarat.toml --shoes 20
croupier simulate --submission submissions/nj-minibaccarat.toml --rounds 1e3 --seed 7
croupier session --submission submissions/nj-minibaccarat.toml --wager banker --unit 25 --bankroll 1000 --shoes 1 --sessions 20 --seed 7
croupier blackjack --submission submissions/nj-blackjack-streak.toml --rounds 3 --seed 1
croupier vectors --submission submissions/nj-minibaccarat.toml -o vectors  # needs some seconds

croupier key new house.key
croupier key trust house.key.pub -o trust.toml
croupier key vault vault.key
croupier names new patrons.names
croupier names list patrons.names
croupier names erase patrons.names Pat --by Ann --reason "asked by letter"  # needs a name in the vault
croupier deal submissions/nj-minibaccarat.toml --seed 7 --log table.jsonl --sign house.key --quiet
croupier deal submissions/nj-minibaccarat.toml --seed 7 --log pit.sqlite --quiet
croupier run submissions/nj-minibaccarat.toml commands.jsonl --log day.jsonl  # needs commands, one a line
croupier table submissions/nj-minibaccarat.toml --log lesson.jsonl --as "Dana (dealer)"
croupier verify table.jsonl --public-key house.key.pub
croupier verify docs/examples/rounds/wrong.csv --submission submissions/nj-minibaccarat.toml  # exit status 1: payments differ
croupier explain table.jsonl --round 12
croupier replay table.jsonl -o table.html
croupier ledger table.jsonl
croupier rounds table.jsonl --seat 1 --wager tie
croupier irregularities table.jsonl --by kind
croupier decks table.jsonl
croupier export table.jsonl -o rows
croupier draw verify royal.jsonl  # needs the log of a table with a must-hit award
croupier map docs/examples/rounds/other.csv -o mapping.toml
croupier audit docs/examples/audited-rounds.csv --submission submissions/nj-minibaccarat.toml  # exit status 1: payments differ

croupier store check pit.sqlite
croupier store heads pit.sqlite --key house.key --trust trust.toml -o pit.heads
croupier store stamp pit.heads --request pit.tsq
croupier store backup pit.sqlite copy.sqlite
croupier store restore copy.sqlite restored.sqlite
croupier store views pit.sqlite
croupier serve submissions/nj-minibaccarat.toml --store served.sqlite --notified 2026-01-01T12:00Z --check
croupier grant --office dealer -o link.txt  # needs a running service

croupier drill mixed --submission submissions/nj-minibaccarat.toml
croupier drill allowed --law us-nj/minibaccarat@latest
croupier drill third-card --submission submissions/ny-mini.toml --level 3
croupier drill counts --law us-nj/minibaccarat@latest --questions 5 --format json
croupier drill announcements --law us-nj/minibaccarat@latest
croupier drill preparation --law us-nj/minibaccarat@latest
croupier drill round --law us-nj/minibaccarat@latest
croupier drill burn --law us-nj/minibaccarat@latest
croupier drill last-hand --law us-nj/minibaccarat@latest
croupier drill irregularities --submission submissions/ma.toml
croupier drill corrections --submission submissions/nj-minibaccarat.toml
croupier drill payouts --submission submissions/nj-minibaccarat-dragon-7.toml --seed 4
croupier drill vigorish --submission submissions/ma.toml
croupier drill order --law us-nj/minibaccarat@latest
croupier drill offices --law us-nj/minibaccarat@latest
croupier drill holder --submission submissions/ny-midi.toml
croupier drill forms --submission submissions/nj-minibaccarat.toml
croupier drill roads --law us-nj/minibaccarat@latest
croupier drill coverage --law us-nj/minibaccarat@latest
croupier drill paper --submission submissions/ma.toml --seed 7 --questions 4 --kinds counts,vigorish -o paper.json
croupier drill mark paper.json docs/examples/drill-answers.json --submission submissions/ma.toml
