"""What tests share. Nothing here is a test, and importing this package imports nothing else.

Where things are:

``project``                 the root of the project, and its sample submissions

Tables driven by commands, one module for each text:

``games``                   a game of one regulation, driven from phase to phase: rules, tables, rounds
``table``                   New Jersey minibaccarat, and what every table's tests use
``punto_banco``             New Jersey punto banco
``massachusetts``           Massachusetts minibaccarat
``new_york``                New York mini and midi baccarat
``older_excerpts``          the older New Jersey excerpts: tables put into a state by hand
``streaks``                 the blackjack streak wager, driven by letters for results
``pits``                    a pit with several tables, and its notices

Inputs:

``random_submissions``      random submissions that a text allows
``invalid_submissions``      a legal submission with one thing wrong, and what must be reported
``made_up_laws``            invented texts: an excerpt, a later whole text, another state's
``forged_logs``             table logs, and the means to change and reseal them
``external_rounds``         rounds as another system would record them, right or wrong
``audits``                  rounds that are verified already
``vector_sets``             conformance vectors, made once for each submission
``simulations``             rules, and what comes of simulating them
``dealt_again``             shoes and rounds that engines deal again, card by card
``printed``                 the text of a PDF, page by page, and how high its type is
``drawings``                layouts of any number of seats, crowded with chips, and roads of a shoe
``sources``                 Python files, each read and parsed once
``crew``                    a dealer and a floorperson at a table of a service
``processes``               services in processes of their own, to be killed
``forked``                  programs in processes of their own that need not import the package again
``volume``                  how many cases a test tries: all of them, or a spread
``cases``                   a test of very many short cases, as one
``browsers``                a browser, with nothing that pages do not need
``blocks``                  the fenced blocks of a document, and the commands that they show
``wheel``                   the wheel, built and installed bare

Expected values:

``oracles.brute_force``     a slow and obvious count of rounds
``oracles.odds``            exact odds, every round counted card by card
``oracles.removal``         effects of removal
``oracles.side_bets``       every line of 35 commercial side bets, counted from the shoe
``oracles.logs``            table logs: shoes, rounds, payments and vigorish
``oracles.law``             the regulations as printed, for ``oracles.logs``
``oracles.progressive``     Royal 9 and Must Hit for Stax, for ``oracles.logs``
``oracles.vectors``         conformance vectors
``oracles.sessions``        betting systems, ruin and Markov chains
``oracles.roads``           roads, read from a drawn board
``oracles.blackjack``       the blackjack wagers
``chi_square``              how far counts lie from what is expected
``par``                     PAR sheets from the command line, compared with ``oracles.odds``

What the program makes and the tests keep (``python tests/regolden.py`` makes it again):

``kept``                    comparing what is kept with what is made now
``playthroughs``            golden playthroughs of baccarat
``blackjack_playthroughs``  golden playthroughs of the blackjack wagers
``command_line_document``   the tables in ``docs/command-line.md``
``elections_document``      ``docs/elections.md``
``service_document``        the resources in ``docs/service.md``
``table_log_document``      the tables in ``docs/table-log.md``
``schema_words``            JSON Schemas in the words of a document
"""
