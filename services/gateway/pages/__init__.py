"""The pages, and the routes of the sources that answer a browser and a program alike."""

from services.gateway.pages import previews, sign_in, triggers, week

ROUTERS = (sign_in.router, week.router, previews.router, triggers.router)
