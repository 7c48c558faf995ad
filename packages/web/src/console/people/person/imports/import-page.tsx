import { useSuspenseQuery } from '@tanstack/react-query'
import { CatchBoundary, Link, useParams } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import { useEnvironment } from '../../../api/environment.ts'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Failure } from '../../../components/failure.tsx'
import { ShownZone } from '../../../components/instant.tsx'
import { Page } from '../../../components/page.tsx'
import { Waiting } from '../../../components/waiting.tsx'
import { useViewState } from '../../../shell/view-state.ts'
import { nameOf } from '../person-name.ts'
import { personQuery, zoneOf } from '../person-queries.ts'
import { Addresses } from './addresses.tsx'
import { EarlierImports } from './earlier-imports.tsx'
import { FormatList } from './format-list.tsx'
import { ImportView } from './import-view.tsx'
import { NewImport } from './new-import.tsx'
import './imports.css'

/** The page on which files of a person are imported. */
export function ImportPage(): ReactNode {
  return (
    <CatchBoundary
      getResetKey={() => location.pathname}
      errorComponent={({ error, reset }) => <Failure error={error} onRetry={reset} />}
    >
      <Suspense fallback={<Waiting label="Loading the imports" lines={6} />}>
        <Import />
      </Suspense>
    </CatchBoundary>
  )
}

function Import(): ReactNode {
  const { user } = useParams({ strict: false }) as { user: string }
  const environment = useEnvironment()
  const { teamId: team, env } = environment
  const { data: person } = useSuspenseQuery(personQuery(environment, user))
  const [{ job }, change] = useViewState({ job: '' })
  if (person === null) {
    return (
      <Page title="Import">
        <EmptyState title="The person was not found." />
      </Page>
    )
  }
  const userId = person.user_id
  const open = (jobId: string): void => change({ job: jobId }, { push: true })
  return (
    <Page
      title="Import"
      description="Files that a person exported from an app or a device. The content says what a file is."
      above={
        <Link to="/$team/$env/people/$user" params={{ team, env, user: userId }}>
          {nameOf(person) ?? person.client_user_id}
        </Link>
      }
    >
      <ShownZone value={zoneOf(person)}>
        <NewImport person={person} onBegun={open} />
        {job !== '' && <ImportView key={job} person={person} jobId={job} onBegun={open} />}
        <EarlierImports userId={userId} shown={job} />
        <FormatList />
        <Addresses userId={userId} />
      </ShownZone>
    </Page>
  )
}
