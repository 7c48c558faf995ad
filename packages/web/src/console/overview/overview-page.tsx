import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useEnvironment } from '../api/environment.ts'
import { EmptyState } from '../components/empty-state.tsx'
import { Failure } from '../components/failure.tsx'
import { Page, Section } from '../components/page.tsx'
import { Waiting } from '../components/waiting.tsx'
import { DemoOffer } from '../start/demo-offer.tsx'
import './overview.css'
import { overviewQuery } from './overview-query.ts'
import { Tiles } from './tiles.tsx'
import { WaitingList } from './waiting-list.tsx'

/** The first page: what needs attention, and the numbers of the environment. */
export function OverviewPage(): ReactNode {
  const { data, error, refetch } = useQuery(overviewQuery(useEnvironment()))
  return (
    <Page title="Overview" description="What needs attention, and how much the environment does.">
      {error !== null && <Failure error={error} onRetry={refetch} />}
      {data === undefined && error === null && <Waiting label="Loading the overview" lines={10} />}
      {data !== undefined && (
        <>
          {data.people.total === 0 && <FirstSteps />}
          <DemoOffer people={data.people.total} />
          <Section title="Needs attention">
            <WaitingList waiting={data.waiting} />
          </Section>
          <Section
            title="Last 30 days"
            description={`Days are those of UTC. As of ${formatTime(data.as_of)}.`}
          >
            <Tiles overview={data} />
          </Section>
        </>
      )}
    </Page>
  )
}

/** What to do first in an environment without people. */
function FirstSteps(): ReactNode {
  const { teamId, env } = useEnvironment()
  const params = { team: teamId, env }
  return (
    <EmptyState title="No people yet.">
      Add a person under{' '}
      <Link to="/$team/$env/people" params={params}>
        People
      </Link>
      , or create a key for your software under{' '}
      <Link to="/$team/$env/settings" params={params}>
        Settings
      </Link>
      . <Link to="/start">First steps</Link> leads through a team with fictional people.
    </EmptyState>
  )
}

const formatTime = (at: string): string =>
  new Date(at).toLocaleTimeString('en', { hour: 'numeric', minute: '2-digit' })
