/** Data of one person and resource that are about to be stored, within a time. */
export interface DataChange {
  environmentId: string
  userId: string
  /** Read name of a series (`steps`) or name of a summary resource (`sleep`). */
  resource: string
  /** Epoch milliseconds of the first and the last instant that may change, both included. */
  from: number
  to: number
}

/**
 * Called before data are stored, so that no crash can lose the change; the data may then turn out
 * to change nothing. The call is durable when it returns.
 */
export interface DataChangeListener {
  willStore(changes: readonly DataChange[]): Promise<void>
}

/** Calls several listeners about the same changes, at the same time. */
export function joinListeners(listeners: readonly DataChangeListener[]): DataChangeListener {
  return {
    async willStore(changes) {
      await Promise.all(listeners.map((listener) => listener.willStore(changes)))
    },
  }
}

/** A listener that does nothing. */
export const NO_LISTENER: DataChangeListener = { willStore: async () => {} }
