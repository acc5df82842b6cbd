"""A server that ends under a call is away; whoever called may ask again."""

import grpc
import pytest
from grpc.aio import AioRpcError, Metadata

from libs.rpc.errors import from_call


def ended(code: grpc.StatusCode) -> AioRpcError:
    return AioRpcError(code, Metadata(), Metadata())


def test_a_call_that_the_server_cancelled_met_one_that_is_away() -> None:
    told = from_call(ended(grpc.StatusCode.CANCELLED))

    assert (told.code, told.reason) == (grpc.StatusCode.UNAVAILABLE, "unavailable")


@pytest.mark.parametrize(
    "code", [code for code in grpc.StatusCode if code is not grpc.StatusCode.CANCELLED]
)
def test_every_other_code_stays_what_it_is(code: grpc.StatusCode) -> None:
    assert from_call(ended(code)).code is code
