import {
  BaseError,
  HttpRequestError,
  InternalRpcError,
  LimitExceededRpcError,
  ResourceUnavailableRpcError,
  TimeoutError,
} from "viem";

const troubles = [HttpRequestError, TimeoutError, InternalRpcError, LimitExceededRpcError, ResourceUnavailableRpcError];

/** Whether a call failed because its node does not answer or is in trouble, not because of what was asked. */
export function isAway(error: unknown): boolean {
  return (
    error instanceof BaseError && error.walk((cause) => troubles.some((trouble) => cause instanceof trouble)) !== null
  );
}
