import { usePrefetchQuery, useSuspenseQuery } from '@tanstack/react-query'
import { CatchBoundary, Link, useParams, useRouterState } from '@tanstack/react-router'
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { Page } from '../../components/page.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { Waiting } from '../../components/waiting.tsx'
import { useViewState } from '../../shell/view-state.ts'
import { PersonFrame } from './person-frame.tsx'
import { chartListQuery, personQuery } from './person-queries.ts'
import './person-page.css'

const loadGlance = () => import('./glance.tsx')
const loadCharts = () => import('./person-charts.tsx')

type Part = ComponentType<{ userId: string }>

/** Parts of the page by tab. Each is loaded when its tab is opened, and fails by itself. */
const TABS: { key: string; title: string; parts: [title: string, part: Part][] }[] = [
  {
    key: 'overview',
    title: 'Overview',
    parts: [
      ['At a glance', lazy(async () => ({ default: (await loadGlance()).GlanceTiles }))],
      [
        'Attention',
        lazy(async () => ({ default: (await import('./connections/attention.tsx')).Attention })),
      ],
      ['Charts', lazy(async () => ({ default: (await loadCharts()).PersonCharts }))],
      [
        'Connections',
        lazy(async () => ({
          default: (await import('./connections/connections.tsx')).Connections,
        })),
      ],
    ],
  },
  {
    key: 'timeline',
    title: 'Timeline and notes',
    parts: [
      [
        'Timeline',
        lazy(async () => ({ default: (await import('./timeline/timeline.tsx')).Timeline })),
      ],
    ],
  },
  {
    key: 'sleep',
    title: 'Sleep and workouts',
    parts: [
      ['Sleep', lazy(async () => ({ default: (await import('./sleep/sleep.tsx')).Sleep }))],
      [
        'Workouts',
        lazy(async () => ({ default: (await import('./workouts/workouts.tsx')).Workouts })),
      ],
    ],
  },
  {
    key: 'data',
    title: 'Data and sources',
    parts: [
      [
        'Coverage',
        lazy(async () => ({ default: (await import('./sources/coverage.tsx')).Coverage })),
      ],
      ['Sources', lazy(async () => ({ default: (await import('./sources/sources.tsx')).Sources }))],
      [
        'Quarantine',
        lazy(async () => ({ default: (await import('./sources/quarantine.tsx')).Quarantine })),
      ],
    ],
  },
  {
    key: 'laboratory',
    title: 'Laboratory',
    parts: [
      [
        'Orders',
        lazy(async () => ({ default: (await import('./laboratory/lab-orders.tsx')).LabOrders })),
      ],
      [
        'Results',
        lazy(async () => ({ default: (await import('./laboratory/results.tsx')).Results })),
      ],
      [
        'Documents',
        lazy(async () => ({ default: (await import('./laboratory/documents.tsx')).Documents })),
      ],
    ],
  },
  {
    key: 'events',
    title: 'Events',
    parts: [
      [
        'Events',
        lazy(async () => ({ default: (await import('./events/events.tsx')).PersonEvents })),
      ],
    ],
  },
  {
    key: 'profile',
    title: 'Profile',
    parts: [
      ['Profile', lazy(async () => ({ default: (await import('./profile/profile.tsx')).Profile }))],
    ],
  },
  {
    key: 'rights',
    title: 'Rights',
    parts: [
      ['Rights', lazy(async () => ({ default: (await import('./rights/rights.tsx')).Rights }))],
    ],
  },
]

/** The page of one person. */
export function PersonPage(): ReactNode {
  return (
    <CatchBoundary
      getResetKey={() => location.pathname}
      errorComponent={({ error, reset }) => (
        <NoPerson>
          <Failure error={error} onRetry={reset} />
        </NoPerson>
      )}
    >
      <Suspense fallback={<Waiting label="Loading the person" lines={6} />}>
        <Person />
      </Suspense>
    </CatchBoundary>
  )
}

function Person(): ReactNode {
  const { user: userId } = useParams({ strict: false }) as { user: string }
  const environment = useEnvironment()
  // Data and code of the first tab are loaded while the person is loaded.
  usePrefetchQuery(chartListQuery(environment, userId))
  loadGlance()
  loadCharts()
  const { data: person } = useSuspenseQuery(personQuery(environment, userId))
  const [{ tab }] = useViewState({ tab: 'overview' })
  if (person === null) return <NoPerson />
  const chosen = TABS.find(({ key }) => key === tab) ?? TABS[0]
  return (
    <PersonFrame person={person}>
      <Tabs label="Parts of the person" tabs={TABS} chosen={chosen?.key ?? ''} />
      {chosen?.parts.map(([title, PartOfPage]) => (
        <CatchBoundary
          key={title}
          getResetKey={() => userId}
          errorComponent={({ error, reset }) => <Failure error={error} onRetry={reset} />}
        >
          <Suspense fallback={<Waiting label={`Loading ${title.toLowerCase()}`} />}>
            <PartOfPage userId={person.user_id} />
            <Arrival />
          </Suspense>
        </CatchBoundary>
      ))}
    </PersonFrame>
  )
}

/**
 * Scrolls to the section that the address names, once it is rendered: parts are loaded later than
 * the page.
 */
function Arrival(): ReactNode {
  const hash = useRouterState({ select: ({ location }) => location.hash })
  useEffect(() => {
    if (hash !== '') document.getElementById(hash)?.scrollIntoView()
  }, [hash])
  return null
}

/** The page when the person was not found, or could not be loaded. */
function NoPerson({ children }: { children?: ReactNode }): ReactNode {
  const { teamId, env } = useEnvironment()
  return (
    <Page
      title="Person"
      above={
        <Link to="/$team/$env/people" params={{ team: teamId, env }}>
          People
        </Link>
      }
    >
      {children ?? (
        <EmptyState title="The person was not found.">
          The address may be mistyped, or the person was deleted, or belongs to another team or
          environment. Erased people are listed under{' '}
          <Link
            to="/$team/$env/rights"
            params={{ team: teamId, env }}
            search={{ tab: 'erasures' } as never}
          >
            erasures
          </Link>
          .
        </EmptyState>
      )}
    </Page>
  )
}
