import { Button, NativeSelect } from '@mantine/core'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useContext } from 'react'
import { useEnvironment } from '../../../api/environment.ts'
import { type Column, DataTable } from '../../../components/data-table.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Instant, ShownZone } from '../../../components/instant.tsx'
import { Section } from '../../../components/page.tsx'
import { saveFile } from '../../../components/save-file.ts'
import { useViewState } from '../../../shell/view-state.ts'
import { dateIn } from '../local-time.ts'
import { documentsQuery, type PersonDocument, readDocument } from './lab-queries.ts'

const TYPES: Readonly<Record<PersonDocument['type'], string>> = {
  requisition: 'Requisition',
  abn: 'Notice of costs (ABN)',
  collection_instructions: 'Collection instructions',
  result: 'Result',
  result_document: 'Document of the laboratory',
  lab_report: 'Uploaded report',
}

/** Lists documents about a person: those of orders, and uploaded reports. */
export function Documents({ userId }: { userId: string }): ReactNode {
  const [{ document: type }, change] = useViewState({ document: '' })
  const query = useInfiniteQuery(documentsQuery(useEnvironment(), userId, type))
  const documents = query.data?.pages.flatMap((page) => page.documents)
  return (
    <Section
      id="documents"
      title="Documents"
      actions={
        <NativeSelect
          aria-label="Kind of document"
          value={type}
          onChange={(event) => change({ document: event.currentTarget.value })}
          data={[
            { value: '', label: 'All kinds' },
            ...Object.entries(TYPES).map(([value, label]) => ({ value, label })),
          ]}
        />
      }
    >
      {query.error !== null && <Failure error={query.error} onRetry={query.refetch} />}
      {(query.error === null || documents !== undefined) && (
        <DataTable
          label="Documents"
          columns={COLUMNS}
          rows={documents}
          rowKey={({ path }) => path}
          empty={<NoDocuments isFiltered={type !== ''} />}
          more={query}
        />
      )}
    </Section>
  )
}

function NoDocuments({ isFiltered }: { isFiltered: boolean }): ReactNode {
  if (isFiltered) return <EmptyState title="No documents of this kind." />
  return (
    <EmptyState title="No documents yet.">
      An order creates collection instructions at once, its requisition when the laboratory accepts
      it, and a report with its results. You can also upload reports of other laboratories.
    </EmptyState>
  )
}

const COLUMNS: readonly Column<PersonDocument>[] = [
  { key: 'type', title: 'Document', width: '1.6fr', render: describe },
  {
    key: 'of',
    title: 'Origin',
    width: '2fr',
    render: (document) => <Origin document={document} />,
  },
  {
    key: 'created_at',
    title: 'Created',
    width: '1.4fr',
    render: ({ created_at: at }) => <Instant at={at} />,
  },
  {
    key: 'save',
    title: 'File',
    width: '7.5rem',
    render: (document) => <SaveButton document={document} />,
  },
]

function describe(document: PersonDocument): ReactNode {
  const { type, result_version: version, result_status: status, file_number: number } = document
  const more = [
    status === 'partial' ? 'partial' : undefined,
    version !== null && version > 1 ? `version ${version}` : undefined,
    number !== null && number > 1 ? `page ${number}` : undefined,
  ].filter((part) => part !== undefined)
  return (
    <>
      {TYPES[type]}
      {more.length > 0 && <span className="quiet">, {more.join(', ')}</span>}
    </>
  )
}

function Origin({ document }: { document: PersonDocument }): ReactNode {
  const { teamId: team, env } = useEnvironment()
  const { order_id: order, parsing_job_id: job, lab_test_name: name } = document
  if (order !== null) {
    return (
      <Link to="/$team/$env/orders/$order" params={{ team, env, order }}>
        {name ?? 'Order'}
      </Link>
    )
  }
  if (job === null) return null
  return (
    <Link to="/$team/$env/reports/$job" params={{ team, env, job }}>
      Lab report
    </Link>
  )
}

const ENDINGS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'application/rtf': 'rtf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'text/html': 'html',
  'text/plain': 'txt',
}

/** Loads a document and lets the browser save it; its file name does not name the person. */
function SaveButton({ document }: { document: PersonDocument }): ReactNode {
  const zone = useContext(ShownZone) ?? 'UTC'
  const environment = useEnvironment()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => readDocument(environment, document),
    onSuccess: (file) => {
      const { type, created_at: at, content_type: contentType } = document
      saveFile(file, `${type}-${dateIn(zone, at)}.${ENDINGS[contentType] ?? 'bin'}`)
    },
  })
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        loading={isPending}
        aria-label={`Save ${TYPES[document.type]}${document.lab_test_name ? ` of ${document.lab_test_name}` : ''}`}
        onClick={() => mutate()}
      >
        Save
      </Button>
      {error !== null && <span role="alert"> {error.message}</span>}
    </>
  )
}
