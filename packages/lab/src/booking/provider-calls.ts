import { ProviderUnavailable } from '@salus/contracts/lab-gateway'
import { AppError } from '@salus/kernel/errors'

/** Longest wait for a provider; clients wait 15 seconds themselves. */
export const LONGEST_CALL_MS = 10_000

/**
 * Calls a provider and waits for its answer, also when it ignores the signal.
 * @throws ProviderUnavailable
 */
export async function callProvider<T>(
  call: (signal: AbortSignal) => Promise<T>,
  limitMs = LONGEST_CALL_MS,
): Promise<T> {
  const limit = new AbortController()
  const { promise: silence, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    limit.abort()
    reject(new ProviderUnavailable())
  }, limitMs)
  try {
    return await Promise.race([call(limit.signal), silence])
  } finally {
    clearTimeout(timer)
  }
}

/** Returns the refusal 502: the outcome is unknown, and the same request may be sent again. */
export const providerUnavailable = (cause?: unknown): AppError =>
  new AppError(
    502,
    'provider_unavailable',
    'The provider of the appointment did not respond. Send the same request again.',
    {},
    { cause },
  )

/**
 * Calls a provider for reading only, which can be repeated without harm.
 * @throws AppError 502 `provider_unavailable`
 */
export async function readFromProvider<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await callProvider(call)
  } catch (error) {
    throw error instanceof ProviderUnavailable ? providerUnavailable(error) : error
  }
}
