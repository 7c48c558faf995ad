import { ProviderUnavailable } from '@salus/contracts/lab-gateway'
import { AppError } from '@salus/kernel/errors'

/** A provider that takes longer does not answer: clients wait 15 seconds themselves. */
export const LONGEST_CALL_MS = 10_000

/**
 * Asks a provider and waits for its answer, also of one that takes no notice of the signal.
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

/** 502: nobody knows what became of it; the same request may be sent again. */
export const providerUnavailable = (cause?: unknown): AppError =>
  new AppError(
    502,
    'provider_unavailable',
    'The provider of the appointment did not respond. Send the same request again.',
    {},
    { cause },
  )

/**
 * What only asks a provider, and is simply asked again.
 * @throws AppError 502 `provider_unavailable`
 */
export async function readFromProvider<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await callProvider(call)
  } catch (error) {
    throw error instanceof ProviderUnavailable ? providerUnavailable(error) : error
  }
}
