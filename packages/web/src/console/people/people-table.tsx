import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEnvironment } from '../api/environment.ts'
import { type Column, DataTable, type MoreRows } from '../components/data-table.tsx'
import { Id } from '../components/id.tsx'
import { Instant } from '../components/instant.tsx'
import { StatusBadge } from '../components/status-badge.tsx'
import { nameOf } from './person/person-name.ts'
import type { FoundPerson } from './use-people.ts'

function PersonLink({ person }: { person: FoundPerson }): ReactNode {
  const { teamId, env } = useEnvironment()
  const name = nameOf(person)
  return (
    <span className="people-person">
      <Link
        to="/$team/$env/people/$user"
        params={{ team: teamId, env, user: person.user_id }}
        className="row-link"
      >
        {name ?? person.client_user_id}
      </Link>
      {person.email !== null && <span className="quiet">{person.email}</span>}
    </span>
  )
}

/** Shows the most urgent state of the connections, and their number. */
function ConnectionsCell({ person: { connections } }: { person: FoundPerson }): ReactNode {
  if (connections.length === 0) return <span className="quiet">none</span>
  const failed = connections.filter(({ status }) => status === 'error')
  const paused = connections.filter(({ status }) => status === 'paused')
  const names = (list: typeof connections): string =>
    list.map(({ provider }) => provider.name).join(', ')
  if (failed.length > 0) {
    return <StatusBadge tone="bad">{names(failed)}: reconnect</StatusBadge>
  }
  if (paused.length === connections.length) {
    return <StatusBadge tone="neutral">{names(paused)}: paused</StatusBadge>
  }
  return <StatusBadge tone="good">{names(connections)}</StatusBadge>
}

const COLUMNS: Column<FoundPerson>[] = [
  {
    key: 'person',
    title: 'Person',
    width: 'minmax(12rem, 2fr)',
    render: (person) => <PersonLink person={person} />,
  },
  {
    key: 'client',
    title: 'Client id',
    width: 'minmax(8rem, 1.2fr)',
    render: (person) => <code>{person.client_user_id}</code>,
  },
  {
    key: 'connections',
    title: 'Connections',
    width: 'minmax(9rem, 1.5fr)',
    render: (person) => <ConnectionsCell person={person} />,
  },
  {
    key: 'id',
    title: 'Id',
    width: '8rem',
    render: (person) => <Id value={person.user_id} of="the person" isShort />,
  },
  {
    key: 'created',
    title: 'Added',
    width: '7.5rem',
    render: (person) => <Instant at={person.created_on} isRelative />,
  },
]

interface PeopleTableProps {
  people: readonly FoundPerson[] | undefined
  /** Whether the rows are those of the search before. */
  isStale: boolean
  more: MoreRows
  empty: ReactNode
}

export function PeopleTable({ people, isStale, more, empty }: PeopleTableProps): ReactNode {
  return (
    <div className="people-table" aria-busy={isStale}>
      <DataTable
        label="People"
        columns={COLUMNS}
        rows={people}
        rowKey={({ user_id }) => user_id}
        more={more}
        empty={empty}
      />
    </div>
  )
}
