import {
  BaseError,
  HttpRequestError,
  InternalRpcError,
  LimitExceededRpcError,
  ResourceUnavailableRpcError,
  TimeoutError,
} from "viem";

const troubles = [HttpRequestError, TimeoutError, InternalRpcError, LimitExceededRpcError, ResourceUnavailableRpcError];

/** True if a call failed because its node does not answer or has a problem. False if the call itself is the cause. */
export function isAway(error: unknown): boolean {
  return (
    error instanceof BaseError && error.walk((cause) => troubles.some((trouble) => cause instanceof trouble)) !== null
  );
}
