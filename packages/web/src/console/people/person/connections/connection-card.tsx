import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { components } from '../../../api/openapi.generated.d.ts'
import { Allowed } from '../../../components/allowed.tsx'
import { Instant } from '../../../components/instant.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import type { Connection } from '../person-queries.ts'
import { resourceTitle } from '../resource-title.ts'
import { CONNECTION_ERRORS, CONNECTION_STATES, UNKNOWN_ERROR } from './connection-words.ts'
import { DisconnectDialog } from './disconnect-dialog.tsx'
import { LinkDialog } from './link-dialog.tsx'

type Resources = components['schemas']['ResourceStatistics']

interface ConnectionCardProps {
  userId: string
  connection: Connection
  resources: Record<string, Resources>
  /** Whether Salus pulls from the provider; other providers push. */
  isPulled: boolean
}

const latest = (times: (string | null | undefined)[]): string | undefined =>
  times
    .filter((time) => typeof time === 'string')
    .sort()
    .at(-1)

/** Shows a connection: state, last error in plain words, newest data, and actions. */
export function ConnectionCard(props: ConnectionCardProps): ReactNode {
  const { userId, connection, resources, isPulled } = props
  const [open, setOpen] = useState<'link' | 'end'>()
  const { tone, title } = CONNECTION_STATES[connection.status] ?? {
    tone: 'neutral',
    title: connection.status,
  }
  const held = Object.values(resources)
  const close = (): void => setOpen(undefined)
  return (
    <li className="connection">
      <header className="connection-head">
        <img src={connection.logo} alt="" width={32} height={32} />
        <h3>{connection.name}</h3>
        <StatusBadge tone={tone}>{title}</StatusBadge>
      </header>
      {connection.error_details !== null && <LastError {...connection.error_details} />}
      {connection.status === 'paused' && (
        <p className="quiet">No data are stored until the person connects again.</p>
      )}
      <dl className="connection-facts">
        <dt>Newest data</dt>
        <dd>
          <Instant
            at={latest(held.map(({ newest_data: newest }) => newest))}
            otherwise="none yet"
            isRelative
          />
        </dd>
        <dt>{isPulled ? 'Last pull' : 'Last push'}</dt>
        <dd>
          <Instant
            at={latest(held.map(({ last_attempt: attempt }) => attempt?.timestamp))}
            isRelative
          />
        </dd>
        <dt>Connected</dt>
        <dd>
          <Instant at={connection.created_on} isRelative />
        </dd>
      </dl>
      <Denied connection={connection} />
      <Allowed to="connections:write">
        <footer className="connection-actions">
          {isPulled && (
            <Button size="compact-sm" variant="subtle" onClick={() => setOpen('link')}>
              {connection.status === 'connected' ? 'Link to sign in again' : 'Link to reconnect'}
            </Button>
          )}
          <Button size="compact-sm" variant="subtle" onClick={() => setOpen('end')}>
            Disconnect
          </Button>
        </footer>
      </Allowed>
      <LinkDialog userId={userId} provider={connection} isOpen={open === 'link'} onClose={close} />
      <DisconnectDialog
        userId={userId}
        provider={connection}
        isOpen={open === 'end'}
        onClose={close}
      />
    </li>
  )
}

function LastError(error: NonNullable<Connection['error_details']>): ReactNode {
  return (
    <div className="connection-error">
      <p>{CONNECTION_ERRORS[error.error_type] ?? UNKNOWN_ERROR}</p>
      <p className="quiet">
        <Instant at={error.errored_at} />: {error.error_message} (<code>{error.error_type}</code>)
      </p>
    </div>
  )
}

/** Names the resources that the person did not permit. */
function Denied({ connection }: { connection: Connection }): ReactNode {
  const denied = Object.entries(connection.resource_availability)
    .filter(([, { status }]) => status === 'unavailable')
    .map(([resource]) => resourceTitle(resource))
  if (denied.length === 0) return null
  return <p className="quiet">Not permitted by the person: {denied.join(', ')}.</p>
}
