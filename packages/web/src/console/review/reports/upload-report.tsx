import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useId, useState } from 'react'
import { unwrapResponse } from '../../api/client.ts'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import { teamSettingsQuery, useTeamSetting } from '../../api/team-settings.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { PersonPicker } from '../../components/person-picker.tsx'
import { FileChoice } from './file-choice.tsx'

interface UploadReportProps {
  isOpen: boolean
  onClose: () => void
  /** Id of the person of the report, where it is known. */
  userId?: string | undefined
}

/** Uploads a report of a person, and opens it. */
export function UploadReport({ isOpen, onClose, userId = '' }: UploadReportProps): ReactNode {
  const formId = useId()
  const environment = useEnvironment()
  const [person, setPerson] = useState(userId)
  const [files, setFiles] = useState<readonly File[]>([])
  const [isReviewed, setReviewed] = useState(false)
  const upload = useUpload(environment, onClose)
  const isReady = person !== '' && files.length > 0
  return (
    <Dialog
      title="Upload lab report"
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button variant="subtle" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={formId} disabled={!isReady} loading={upload.isPending}>
            Upload report
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="reports-upload"
        onSubmit={(event) => {
          event.preventDefault()
          upload.mutate({ person, files, isReviewed })
        }}
      >
        <PersonPicker label="Person" value={person} onChange={setPerson} />
        <FileChoice files={files} onChange={setFiles} />
        <ReviewChoice isReviewed={isReviewed} onChange={setReviewed} />
        {upload.error !== null && <Failure error={upload.error} />}
      </form>
    </Dialog>
  )
}

interface ReviewChoiceProps {
  isReviewed: boolean
  onChange: (isReviewed: boolean) => void
}

function ReviewChoice({ isReviewed, onChange }: ReviewChoiceProps): ReactNode {
  const environment = useEnvironment()
  const { data } = useQuery(teamSettingsQuery(environment))
  const setting = useTeamSetting()
  const isOffered = data?.lab_report_review_enabled === true
  if (data?.lab_report_review_enabled === false) {
    return (
      <div>
        <p className="quiet">Review of lab reports is disabled for this team.</p>
        <Button
          variant="subtle"
          size="compact-sm"
          loading={setting.isPending}
          onClick={() => setting.mutate({ lab_report_review_enabled: true })}
        >
          Enable review
        </Button>
        {setting.error !== null && <Failure error={setting.error} />}
      </div>
    )
  }
  return (
    <label className="reports-check">
      <input
        type="checkbox"
        checked={isReviewed && isOffered}
        disabled={!isOffered}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>
        Require a review
        <small className="quiet">
          The team can read the results once a reviewer approves them.
        </small>
      </span>
    </label>
  )
}

interface UploadInput {
  /** Id of the person. */
  person: string
  files: readonly File[]
  isReviewed: boolean
}

function useUpload(environment: Environment, onDone: () => void) {
  const { team, teamId, env, key } = environment
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async ({ person, files, isReviewed }: UploadInput) => {
      const form = new FormData()
      form.append('user_id', person)
      form.append('needs_human_review', String(isReviewed))
      for (const file of files) form.append('file', file)
      return unwrapResponse(
        team.POST('/lab_report/v1/parser/job', {
          body: form as never,
          bodySerializer: (body) => body as never,
        }),
      )
    },
    onSuccess: (job) => {
      queryClient.invalidateQueries({ queryKey: [...key, 'reports'] })
      onDone()
      navigate({ to: '/$team/$env/reports/$job', params: { team: teamId, env, job: job.id } })
    },
  })
}
