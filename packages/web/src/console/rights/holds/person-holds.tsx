import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import { Allowed } from '../../components/allowed.tsx'
import { Failure } from '../../components/failure.tsx'
import { IconLock } from '../../components/icons.tsx'
import { Instant } from '../../components/instant.tsx'
import { Section } from '../../components/page.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Waiting } from '../../components/waiting.tsx'
import { KeyLabel } from '../key-label.tsx'
import { holdsQuery, type LegalHold } from './hold-queries.ts'
import { PlaceHold } from './place-hold.tsx'
import { ReleaseHold } from './release-hold.tsx'
import '../rights.css'

/** Lists the legal holds of a person, including released ones. */
export function PersonHolds({ userId }: { userId: string }): ReactNode {
  const { data, error, refetch } = useQuery(holdsQuery(useEnvironment(), { user_id: userId }))
  const [isPlacing, setPlacing] = useState(false)
  const [released, setReleased] = useState<LegalHold>()
  const isHeld = data?.some(({ released_at: at }) => at === null) ?? false
  return (
    <Section
      id="holds"
      title="Legal holds"
      description="Data of a person under a legal hold are not removed."
      actions={
        data !== undefined &&
        !isHeld && (
          <Allowed to="rights:write">
            <Button
              variant="outline"
              leftSection={<IconLock size={16} aria-hidden />}
              onClick={() => setPlacing(true)}
            >
              Place hold
            </Button>
          </Allowed>
        )
      }
    >
      {error !== null && <Failure error={error} onRetry={refetch} />}
      {error === null && data === undefined && <Waiting label="Loading legal holds" lines={2} />}
      {data?.length === 0 && <p className="quiet">No legal holds yet.</p>}
      {data !== undefined && data.length > 0 && (
        <ul className="rights-list">
          {data.map((hold) => (
            <Hold key={hold.id} hold={hold} onRelease={setReleased} />
          ))}
        </ul>
      )}
      <PlaceHold userId={userId} isOpen={isPlacing} onClose={() => setPlacing(false)} />
      <ReleaseHold hold={released} onClose={() => setReleased(undefined)} />
    </Section>
  )
}

function Hold({
  hold,
  onRelease,
}: {
  hold: LegalHold
  onRelease: (hold: LegalHold) => void
}): ReactNode {
  const { reason, placed_at, placed_by, released_at, released_by } = hold
  const isActive = released_at === null
  return (
    <li className="rights-item">
      <div>
        <p className="rights-item-head">
          <StatusBadge tone={isActive ? 'warning' : 'neutral'}>
            {isActive ? 'Active' : 'Released'}
          </StatusBadge>
          <span>{reason}</span>
        </p>
        <p className="quiet">
          Placed <Instant at={placed_at} /> by <KeyLabel id={placed_by} />
          {!isActive && (
            <>
              , released <Instant at={released_at} /> by <KeyLabel id={released_by} />
            </>
          )}
        </p>
      </div>
      {isActive && (
        <Allowed to="rights:write">
          <Button
            variant="outline"
            aria-label={`Release ${reason}`}
            onClick={() => onRelease(hold)}
          >
            Release
          </Button>
        </Allowed>
      )}
    </li>
  )
}
