import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import { Dialog } from '../../components/dialog.tsx'
import { DocumentButton } from '../../components/document-button.tsx'
import { Failure } from '../../components/failure.tsx'
import { Id } from '../../components/id.tsx'
import { describeMethod } from '../../components/order-words.ts'
import { StatusBadge } from '../../components/status-badge.tsx'
import { Waiting } from '../../components/waiting.tsx'
import { humanizeName } from '../words.ts'
import { describeTestStatus, describeTurnaround, type LabTest } from './catalog-queries.ts'
import { MarkerFacts } from './marker-facts.tsx'

interface LabTestDialogProps {
  test: LabTest | undefined
  onClose: () => void
}

/** Shows a test with its markers, and actions on it. */
export function LabTestDialog({ test, onClose }: LabTestDialogProps): ReactNode {
  return (
    <Dialog
      title={test?.name ?? ''}
      className="wide-dialog"
      isOpen={test !== undefined}
      onClose={onClose}
      actions={test && <TestActions test={test} onDone={onClose} />}
    >
      {test && <TestFacts test={test} />}
    </Dialog>
  )
}

function TestFacts({ test }: { test: LabTest }): ReactNode {
  const { team, key } = useEnvironment()
  const { data, error, refetch } = useQuery({
    queryKey: [...key, 'lab_test_markers', test.id],
    queryFn: ({ signal }) => {
      const params = { path: { lab_test_id: test.id }, query: { page: 1, size: 100 } }
      return unwrapResponse(team.GET('/v3/lab_tests/{lab_test_id}/markers', { params, signal }))
    },
  })
  const { label, tone } = describeTestStatus(test.status)
  return (
    <div className="stack">
      <p>{test.description}</p>
      <dl className="facts">
        <dt>State</dt>
        <dd>
          <StatusBadge tone={tone}>{label}</StatusBadge>
        </dd>
        <dt>Laboratory</dt>
        <dd>{test.lab?.name ?? '–'}</dd>
        <dt>Collection</dt>
        <dd>
          {describeMethod(test.method)}, {humanizeName(test.sample_type).toLowerCase()}
        </dd>
        <dt>Fasting</dt>
        <dd>{test.fasting ? 'Needed' : 'Not needed'}</dd>
        <dt>Results in</dt>
        <dd>{describeTurnaround(test.common_tat_days, test.worst_case_tat_days)}</dd>
        <dt>Id</dt>
        <dd>
          <Id value={test.id} of="the test" />
        </dd>
      </dl>
      <h3 className="fact-title">Markers</h3>
      {error && <Failure error={error} onRetry={refetch} />}
      {data === undefined && !error && <Waiting label="Loading the markers" />}
      {data?.markers.map((marker) => (
        <details key={marker.id} className="marker-details">
          <summary>
            {marker.name}
            {marker.is_orderable === false && <span className="quiet"> (only if needed)</span>}
          </summary>
          <MarkerFacts marker={marker} />
        </details>
      ))}
    </div>
  )
}

interface TestActionsProps {
  test: LabTest
  onDone: () => void
}

function TestActions({ test, onDone }: TestActionsProps): ReactNode {
  const { team, teamId, env, key, path } = useEnvironment()
  const client = useQueryClient()
  const params = { path: { lab_test_id: test.id } }
  const onSuccess = async () => {
    await client.invalidateQueries({ queryKey: [...key, 'lab_tests'] })
    onDone()
  }
  const archive = useMutation({
    mutationFn: (active: boolean) =>
      unwrapResponse(team.PATCH('/v3/lab_tests/{lab_test_id}', { params, body: { active } })),
    onSuccess,
  })
  const approve = useMutation({
    mutationFn: () => {
      const address = '/v1/org/{org_id}/team/{team_id}/{env}/lab_test/{lab_test_id}/approve'
      const whole = { path: { ...path, lab_test_id: test.id } }
      return unwrapResponse(management.POST(address, { params: whole }))
    },
    onSuccess,
  })
  const error = archive.error ?? approve.error
  return (
    <>
      {error && <Failure error={error} />}
      {test.has_collection_instructions && (
        <DocumentButton
          title="How to collect"
          fileName={`${test.slug}.pdf`}
          load={() => {
            const address = '/v3/lab_test/{lab_test_id}/collection_instruction_pdf'
            return unwrapResponse(team.GET(address, { params, parseAs: 'blob' }))
          }}
        />
      )}
      {test.status === 'active' && (
        <Button variant="outline" loading={archive.isPending} onClick={() => archive.mutate(false)}>
          Archive test
        </Button>
      )}
      {test.status === 'inactive' && (
        <Button variant="outline" loading={archive.isPending} onClick={() => archive.mutate(true)}>
          Restore test
        </Button>
      )}
      {test.status === 'pending_approval' && (
        <Button loading={approve.isPending} onClick={() => approve.mutate()}>
          Approve test
        </Button>
      )}
      {test.status === 'active' && (
        <Button
          renderRoot={(props) => (
            <Link
              to="/$team/$env/orders/new"
              params={{ team: teamId, env }}
              search={{ test: test.id } as never}
              {...props}
            />
          )}
        >
          Order test
        </Button>
      )}
    </>
  )
}
