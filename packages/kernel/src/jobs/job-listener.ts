import { EventEmitter } from 'node:events'
import type pg from 'pg'
import { openSession } from '../postgres/session.ts'

/** Channels on which the queue listens: new jobs, and a version of it that this one cannot read. */
export const JOBS_CHANNEL = 'jobs:insert'
const CHANNELS = [JOBS_CHANNEL, 'worker:migrate']

type Listener = Parameters<pg.Pool['connect']>[0]

/**
 * A pool for the queue, which takes connections with a callback only to listen on them: it gets a
 * session of the connection that all sessions of the process share.
 */
export function withSharedListener(pool: pg.Pool): pg.Pool {
  const connect = (listener?: Listener) => {
    if (listener === undefined) return pool.connect()
    void listenTo(pool, listener)
  }
  return new Proxy(pool, {
    get(target, name) {
      if (name === 'connect') return connect
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** The part of a client that the queue uses for listening. Its statements were run before. */
class ListeningClient extends EventEmitter {
  query(): Promise<void> {
    return Promise.resolve()
  }
}

async function listenTo(pool: pg.Pool, listener: Listener): Promise<void> {
  const client = new ListeningClient()
  try {
    const session = await openSession(pool, {
      channels: CHANNELS,
      onNotification: (channel, payload) => client.emit('notification', { channel, payload }),
      onLost: () => {
        const error = new Error('The connection of notifications broke.')
        if (client.listenerCount('error') > 0) client.emit('error', error)
      },
    })
    // Closing a session twice does nothing, and the queue may release twice.
    listener(undefined, client as never, () => session.close())
  } catch (error) {
    listener(error as Error, undefined, () => undefined)
  }
}
