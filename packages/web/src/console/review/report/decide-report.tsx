import { Button, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { countChanges, type Draft, toCorrections } from './draft.ts'

interface DecideReportProps {
  jobId: string
  draft: Draft
  /** Whether every result has a name and a value. */
  isComplete: boolean
  /** Doubts about the patient of the report; undefined without any. */
  doubt: string | undefined
  onDecided: () => void
}

/** Approves or rejects a report. */
export function DecideReport(props: DecideReportProps): ReactNode {
  const [decision, setDecision] = useState<'approve' | 'reject' | null>(null)
  const changes = countChanges(props.draft)
  return (
    <div className="report-decide">
      <span>
        {changes === 0
          ? 'No corrections'
          : changes === 1
            ? '1 correction'
            : `${changes} corrections`}
      </span>
      <Button variant="subtle" onClick={() => setDecision('reject')}>
        Reject report
      </Button>
      <Button disabled={!props.isComplete} onClick={() => setDecision('approve')}>
        Approve report
      </Button>
      {decision !== null && (
        <DecideDialog {...props} decision={decision} onClose={() => setDecision(null)} />
      )}
    </div>
  )
}

interface DecideDialogProps extends DecideReportProps {
  decision: 'approve' | 'reject'
  onClose: () => void
}

function DecideDialog(props: DecideDialogProps): ReactNode {
  const { draft, decision, doubt, onClose } = props
  const [note, setNote] = useState('')
  const [isConfirmed, setConfirmed] = useState(false)
  const decide = useDecision(props, note, isConfirmed)
  const isApproval = decision === 'approve'
  const isDoubted = isApproval && doubt !== undefined
  // The server compares corrected patient data again.
  const mayDecide = !isDoubted || isConfirmed || Object.keys(draft.metadata).length > 0
  return (
    <Dialog
      title={isApproval ? 'Approve report' : 'Reject report'}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button variant="subtle" onClick={onClose}>
            Back
          </Button>
          <Button disabled={!mayDecide} loading={decide.isPending} onClick={() => decide.mutate()}>
            {isApproval ? 'Approve report' : 'Reject report'}
          </Button>
        </>
      }
    >
      <p>
        {isApproval
          ? `Your team can read the results from now on${countChanges(draft) > 0 ? ', with your corrections. The original reading is kept' : ''}. This cannot be undone.`
          : 'The report fails, and your team cannot read its results. Your corrections are discarded. This cannot be undone.'}
      </p>
      {isDoubted && (
        <label className="report-confirm">
          <input
            type="checkbox"
            checked={isConfirmed}
            onChange={({ currentTarget }) => setConfirmed(currentTarget.checked)}
          />
          <span>
            The report belongs to this person
            <small className="quiet">{doubt}</small>
          </span>
        </label>
      )}
      <Textarea
        label="Note"
        description="Optional, for other reviewers."
        maxLength={2000}
        rows={3}
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
      {decide.error !== null && <Failure error={decide.error} />}
    </Dialog>
  )
}

function useDecision(
  { jobId, draft, decision, onDecided, onClose }: DecideDialogProps,
  note: string,
  isConfirmed: boolean,
) {
  const { path, key } = useEnvironment()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => {
      const params = { path: { ...path, job_id: jobId } }
      return decision === 'approve'
        ? unwrapResponse(
            management.POST(
              '/v1/org/{org_id}/team/{team_id}/{env}/lab_report_review/{job_id}/approve',
              { params, body: { ...toCorrections(draft, note), patient_confirmed: isConfirmed } },
            ),
          )
        : unwrapResponse(
            management.POST(
              '/v1/org/{org_id}/team/{team_id}/{env}/lab_report_review/{job_id}/reject',
              { params, body: { note: note.trim() === '' ? null : note.trim() } },
            ),
          )
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: [...key, 'report', jobId] })
      queryClient.invalidateQueries({ queryKey: [...key, 'reports'] })
      onDecided()
      onClose()
    },
  })
}
