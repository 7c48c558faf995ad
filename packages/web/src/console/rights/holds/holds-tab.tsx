import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import { Allowed } from '../../components/allowed.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { IconLock } from '../../components/icons.tsx'
import { Instant } from '../../components/instant.tsx'
import { PersonLink } from '../../components/list/person-link.tsx'
import { Section } from '../../components/page.tsx'
import { useViewState } from '../../shell/view-state.ts'
import { KeyLabel } from '../key-label.tsx'
import { holdsQuery, type LegalHold } from './hold-queries.ts'
import { PlaceHold } from './place-hold.tsx'
import { ReleaseHold } from './release-hold.tsx'

/** Largest number that the API lists at once. */
const MOST_LISTED = 500

/** Lists the legal holds of the environment. */
export function HoldsTab(): ReactNode {
  const environment = useEnvironment()
  const [{ holds }, change] = useViewState({ holds: 'active' as string })
  const isActive = holds !== 'released'
  const { data, error, refetch } = useQuery(holdsQuery(environment, { is_active: isActive }))
  const [isPlacing, setPlacing] = useState(false)
  const [released, setReleased] = useState<LegalHold>()
  const columns = useMemo(() => columnsOf(isActive ? setReleased : undefined), [isActive])
  return (
    <Section
      title="Legal holds"
      description="Data of a person under a legal hold are not removed by deletion, erasure or retention."
      actions={
        <>
          <NativeSelect
            aria-label="Status of the holds"
            value={isActive ? 'active' : 'released'}
            onChange={({ currentTarget }) => change({ holds: currentTarget.value })}
            data={[
              { value: 'active', label: 'Active' },
              { value: 'released', label: 'Released' },
            ]}
          />
          {data !== undefined && (
            <Allowed to="rights:write">
              <Button
                leftSection={<IconLock size={16} aria-hidden />}
                onClick={() => setPlacing(true)}
              >
                Place hold
              </Button>
            </Allowed>
          )}
        </>
      }
    >
      {error !== null && data === undefined ? (
        <Failure error={error} onRetry={refetch} />
      ) : (
        <DataTable
          label="Legal holds"
          columns={columns}
          rows={data}
          rowKey={({ id }) => id}
          empty={
            <EmptyState title={isActive ? 'No legal holds.' : 'No released holds.'}>
              Place a hold here by the id of a person, or on their page, under Rights.
            </EmptyState>
          }
        />
      )}
      {data?.length === MOST_LISTED && (
        <p className="quiet">
          The list shows the newest {MOST_LISTED}. Older ones are on the pages of their people.
        </p>
      )}
      <PlaceHold isOpen={isPlacing} onClose={() => setPlacing(false)} />
      <ReleaseHold hold={released} onClose={() => setReleased(undefined)} />
    </Section>
  )
}

const columnsOf = (
  onRelease: ((hold: LegalHold) => void) | undefined,
): readonly Column<LegalHold>[] => [
  {
    key: 'person',
    title: 'Person',
    render: ({ user_id: user }) => <PersonLink userId={user} tab="rights" />,
  },
  { key: 'reason', title: 'Reason', width: 'minmax(0, 2fr)', render: ({ reason }) => reason },
  {
    key: 'placed',
    title: 'Placed',
    width: 'minmax(0, 1.4fr)',
    render: ({ placed_at: at, placed_by: by }) => (
      <span className="rights-stack">
        <Instant at={at} />
        <KeyLabel id={by} />
      </span>
    ),
  },
  onRelease === undefined
    ? {
        key: 'released',
        title: 'Released',
        width: 'minmax(0, 1.4fr)',
        render: ({ released_at: at, released_by: by }: LegalHold) => (
          <span className="rights-stack">
            <Instant at={at} />
            <KeyLabel id={by} />
          </span>
        ),
      }
    : {
        key: 'release',
        title: 'Actions',
        width: '6rem',
        render: (hold: LegalHold) => (
          <Allowed to="rights:write">
            <Button
              variant="subtle"
              size="compact-sm"
              aria-label={`Release ${hold.reason}`}
              onClick={() => onRelease(hold)}
            >
              Release
            </Button>
          </Allowed>
        ),
      },
]
