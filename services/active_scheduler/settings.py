"""Settings of active_scheduler, from the environment variables `SMARTMATE_…`."""

from typing import Self

from pydantic import Field, model_validator

from libs.process.settings import ServiceSettings


class Settings(ServiceSettings):
    """What active_scheduler needs besides what every service needs."""

    schedule_address: str = Field(description="host:port of the schedule service")
    agent_address: str = Field(
        "", description="host:port of the agent service; without it templates choose and speak"
    )
    recall_seconds: float = Field(
        1, gt=0, description="How long the agent service has to recall preferences"
    )
    locate_seconds: float = Field(
        2.5, gt=0, description="How long the agent service has to say what block words mean"
    )
    assistant_seconds: float = Field(
        8, gt=0, description="How long preferences, choice and words may take together"
    )
    trigger_workers: int = Field(
        8, ge=1, le=64, description="Triggers that are looked at side by side"
    )
    preview_life_seconds: float = Field(
        3600, gt=0, description="How long a preview can be confirmed"
    )
    apply_life_seconds: float = Field(
        600, gt=0, description="How long a confirmed apply may wait for its verdict"
    )
    confirm_wait_seconds: float = Field(
        3, gt=0, description="How long ConfirmPreview waits for the verdict"
    )
    dedupe_seconds: float = Field(
        1800, gt=0, description="Window in which a second trigger for a target is the first one"
    )
    trigger_lease_seconds: float = Field(
        60, gt=0, description="Lease of a trigger that is being processed"
    )
    trigger_tries: int = Field(5, ge=1, description="Failures after which a trigger is failed")
    scan_seconds: float = Field(1, gt=0, description="Interval of the scan for due jobs")
    scan_batch: int = Field(500, ge=1, le=500, description="Jobs claimed at once")
    job_lease_seconds: float = Field(30, gt=0, description="Lease of a claimed job")
    sweep_seconds: float = Field(1, gt=0, description="Interval of the sweeper")
    sweep_first_seconds: float = Field(
        5, gt=0, description="Age at which the sweeper first asks for a missing verdict"
    )

    @model_validator(mode="after")
    def _recalling_leaves_time(self) -> Self:
        if self.recall_seconds + self.locate_seconds >= self.assistant_seconds:
            raise ValueError("assistant_seconds must outlast recall_seconds and locate_seconds")
        return self
