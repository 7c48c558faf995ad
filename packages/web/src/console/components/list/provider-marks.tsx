import type { ReactNode } from 'react'
import { CONNECTION_STATES } from '../../people/person/connections/connection-words.ts'
import './list.css'

interface MarkedConnection {
  provider: { slug: string; name: string; logo: string }
  status: string
}

/** Marks that are shown; the number of the others follows. */
const MOST_MARKS = 6
const RANKS = ['error', 'connected', 'paused']

/** The marks of the providers to which a person is connected, first those that need something. */
export function ProviderMarks({
  connections,
}: {
  connections: readonly MarkedConnection[]
}): ReactNode {
  if (connections.length === 0) return <span className="quiet">none</span>
  const sorted = connections.toSorted(
    (one, other) => RANKS.indexOf(one.status) - RANKS.indexOf(other.status),
  )
  const others = sorted.slice(MOST_MARKS)
  return (
    <span className="provider-marks">
      {sorted.slice(0, MOST_MARKS).map(({ provider, status }) => {
        const state = CONNECTION_STATES[status]?.title ?? status
        const title = status === 'connected' ? provider.name : `${provider.name}: ${state}`
        return (
          <span key={provider.slug} className="provider-mark" data-status={status} title={title}>
            <img src={provider.logo} alt={title} width={22} height={22} loading="lazy" />
          </span>
        )
      })}
      {others.length > 0 && (
        <span className="quiet" title={others.map(({ provider }) => provider.name).join(', ')}>
          +{others.length}
        </span>
      )}
    </span>
  )
}
