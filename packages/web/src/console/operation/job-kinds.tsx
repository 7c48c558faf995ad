import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { management, unwrapResponse } from '../api/client.ts'
import { type Column, DataTable } from '../components/data-table.tsx'
import { EmptyState } from '../components/empty-state.tsx'
import { Failure } from '../components/failure.tsx'
import { formatCount } from './format.ts'
import { JOB_STATE_LIST } from './job-states.ts'
import type { JobKind } from './operation-queries.ts'

const COLUMNS: Column<JobKind>[] = [
  {
    key: 'kind',
    title: 'Kind',
    width: 'minmax(12rem, 2fr)',
    render: ({ kind }) => <code>{kind}</code>,
  },
  ...JOB_STATE_LIST.map(
    ({ key, title }): Column<JobKind> => ({
      key,
      title,
      isNumeric: true,
      width: 'minmax(4.5rem, 1fr)',
      render: (row) => formatCount(row[key]),
    }),
  ),
  {
    key: 'forgotten',
    title: 'Deleted',
    isNumeric: true,
    width: 'minmax(5.5rem, 1fr)',
    render: ({ forgotten }) => formatCount(forgotten),
  },
  { key: 'retry', title: 'Again', width: '8.5rem', render: (kind) => <RetryKind kind={kind} /> },
]

/** Shows the number of jobs by kind and state. */
export function JobKindsTable({ kinds }: { kinds: readonly JobKind[] | undefined }): ReactNode {
  return (
    <DataTable
      label="Kinds of jobs"
      columns={COLUMNS}
      rows={kinds}
      rowKey={({ kind }) => kind}
      empty={<EmptyState title="No jobs.">All jobs are completed.</EmptyState>}
    />
  )
}

function RetryKind({ kind: { kind, given_up: givenUp } }: { kind: JobKind }): ReactNode {
  const queries = useQueryClient()
  const retrying = useMutation({
    mutationFn: () =>
      unwrapResponse(management.POST('/v1/operation/job/retry', { body: { kind } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['operation'] }),
  })
  if (givenUp === 0) return <span className="quiet">–</span>
  return (
    <>
      <Button
        variant="outline"
        size="compact-sm"
        loading={retrying.isPending}
        onClick={() => retrying.mutate()}
      >
        Run all jobs
      </Button>
      {retrying.error !== null && <Failure error={retrying.error} />}
    </>
  )
}
