import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { IconDownload, IconTrash } from '../../components/icons.tsx'
import { saveFile } from '../../components/save-file.ts'
import type { ReportJob, ReportReview } from './report-query.ts'

interface ReportActionsProps {
  job: ReportJob
  review: ReportReview | null
}

/** Actions on a report besides its review. */
export function ReportActions({ job, review }: ReportActionsProps): ReactNode {
  const count = review === null ? 1 : review.files.length
  return (
    <>
      {Array.from({ length: count }, (_, index) => index + 1).map((number) => (
        <DownloadFile
          key={number}
          jobId={job.id}
          number={number}
          title={count === 1 ? 'Original file' : `File ${number}`}
        />
      ))}
      <DeleteReport jobId={job.id} />
    </>
  )
}

interface DownloadFileProps {
  jobId: string
  number: number
  title: string
}

function DownloadFile({ jobId, number, title }: DownloadFileProps): ReactNode {
  const { team } = useEnvironment()
  const download = useMutation({
    mutationFn: async () => {
      const file = (await unwrapResponse(
        team.GET('/lab_report/v1/parser/job/{job_id}/file/{number}', {
          params: { path: { job_id: jobId, number } },
          parseAs: 'blob',
        }),
      )) as unknown as Blob
      saveFile(file, `lab-report-${jobId.slice(0, 8)}-${number}`)
    },
  })
  return (
    <div>
      <Button
        variant="subtle"
        leftSection={<IconDownload size={16} aria-hidden />}
        loading={download.isPending}
        onClick={() => download.mutate()}
      >
        {title}
      </Button>
      {download.error !== null && <Failure error={download.error} />}
    </div>
  )
}

function DeleteReport({ jobId }: { jobId: string }): ReactNode {
  const { team, teamId, env, key } = useEnvironment()
  const [isAsked, setAsked] = useState(false)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () =>
      unwrapResponse(
        team.DELETE('/lab_report/v1/parser/job/{job_id}', { params: { path: { job_id: jobId } } }),
      ),
    onSuccess: async () => {
      queryClient.removeQueries({ queryKey: [...key, 'report', jobId] })
      queryClient.invalidateQueries({ queryKey: [...key, 'reports'] })
      await navigate({ to: '/$team/$env/reports', params: { team: teamId, env } })
    },
  })
  return (
    <>
      <Button
        variant="subtle"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={() => setAsked(true)}
      >
        Delete report
      </Button>
      <Dialog
        title="Delete report"
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        actions={
          <>
            <Button variant="subtle" onClick={() => setAsked(false)}>
              Keep report
            </Button>
            <Button loading={remove.isPending} onClick={() => remove.mutate()}>
              Delete report
            </Button>
          </>
        }
      >
        <p>Its files and results are permanently deleted.</p>
        {remove.error !== null && <Failure error={remove.error} />}
      </Dialog>
    </>
  )
}
