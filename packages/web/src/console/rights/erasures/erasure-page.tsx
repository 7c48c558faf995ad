import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import { Failure } from '../../components/failure.tsx'
import { Id } from '../../components/id.tsx'
import { Instant } from '../../components/instant.tsx'
import { Page, Section } from '../../components/page.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Waiting } from '../../components/waiting.tsx'
import { holdsQuery } from '../holds/hold-queries.ts'
import { PersonHolds } from '../holds/person-holds.tsx'
import { ERASURE_CAUSE, ERASURE_STATUS, type Erasure, erasureQuery } from './erasure-queries.ts'
import { Receipt } from './receipt.tsx'
import '../rights.css'

/** The progress of an erasure, and its receipt. */
export function ErasurePage(): ReactNode {
  const environment = useEnvironment()
  const { erasure: id } = useParams({ strict: false }) as { erasure: string }
  const { data: erasure, error, refetch } = useQuery(erasureQuery(environment, id))
  const { teamId: team, env } = environment
  return (
    <Page
      title="Erasure"
      above={
        <Link to="/$team/$env/rights" params={{ team, env }} search={{ tab: 'erasures' } as never}>
          Data rights
        </Link>
      }
    >
      {error !== null && erasure === undefined && <Failure error={error} onRetry={refetch} />}
      {error === null && erasure === undefined && <Waiting label="Loading the erasure" lines={5} />}
      {erasure !== undefined && (
        <>
          <Progress erasure={erasure} />
          {erasure.status === 'scheduled' && <PersonHolds userId={erasure.user_id} />}
          <Receipt erasure={erasure} />
        </>
      )}
    </Page>
  )
}

function Progress({ erasure }: { erasure: Erasure }): ReactNode {
  const { label, tone } = ERASURE_STATUS[erasure.status]
  return (
    <Section
      title="Progress"
      description={
        <>
          Person <Id value={erasure.user_id} of="the person" />
        </>
      }
      actions={<StatusBadge tone={tone}>{label}</StatusBadge>}
    >
      <p role="status">
        <Stage erasure={erasure} />
      </p>
      <dl className="rights-facts">
        <div>
          <dt>Reason</dt>
          <dd>{ERASURE_CAUSE[erasure.cause]}</dd>
        </div>
        <div>
          <dt>Requested</dt>
          <dd>
            <Instant at={erasure.requested_at} />
          </dd>
        </div>
        <div>
          <dt>Due</dt>
          <dd>
            <Instant at={erasure.due_at} />
          </dd>
        </div>
        <div>
          <dt>Started</dt>
          <dd>
            <Instant at={erasure.started_at} otherwise="not yet" />
          </dd>
        </div>
        <div>
          <dt>Erased</dt>
          <dd>
            <Instant at={erasure.completed_at} otherwise="not yet" />
          </dd>
        </div>
      </dl>
    </Section>
  )
}

function Stage({ erasure: { status, user_id, due_at } }: { erasure: Erasure }): ReactNode {
  const filter = { user_id, is_active: true }
  const { data: holds } = useQuery({
    ...holdsQuery(useEnvironment(), filter),
    enabled: status === 'scheduled',
  })
  if (status === 'completed') return 'All data are erased. The receipt below lists them.'
  if (status === 'running')
    return 'Both stores and the files are being searched for data of the person.'
  if (holds !== undefined && holds.length > 0) {
    return 'The person is under a legal hold: the erasure waits until the hold is released.'
  }
  return (
    <>
      The person is already hidden, and the erasure cannot be undone. It starts{' '}
      <Instant at={due_at} />, once running work has ended. This page shows the progress.
    </>
  )
}
