"""Client of the table service; requires the extra ``croupier[client]``."""

from croupier.api.client import AsyncClient as AsyncClient
from croupier.api.client import Client as Client
from croupier.api.client import ServiceError as ServiceError
from croupier.api.client import ServiceEvent as ServiceEvent
from croupier.api.client import new_key as new_key
