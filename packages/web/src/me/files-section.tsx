import { Button } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { useTexts } from './language.ts'
import type { Export, Import } from './me-client.ts'
import { useFormats, useMe } from './me-context.ts'
import { ConfirmButton, Problem, SectionTitle } from './parts.tsx'
import { useChange, useLoad } from './use-load.ts'

/** Download, import and erasure of the data. */
export function FilesSection(): ReactNode {
  const { t } = useTexts()
  return (
    <>
      <SectionTitle>{t('files_title')}</SectionTitle>
      <Exports />
      <Imports />
      <ErasureRequest />
    </>
  )
}

const isMade = ({ data }: { data: Export[] }): boolean =>
  data.some(({ status }) => status === 'queued' || status === 'running')

function Exports(): ReactNode {
  const { t } = useTexts()
  const { client } = useMe()
  const { data, error, reload } = useLoad(client.listExports, { isUnderWay: isMade })
  const [format, setFormat] = useState<Export['format']>('csv')
  const create = useChange(async () => {
    await client.createExport(format)
    reload()
  })
  return (
    <section className="me-card" aria-labelledby="export">
      <h2 id="export">{t('export_title')}</h2>
      <p>{t('export_what')}</p>
      <div className="me-form">
        <label>
          {t('export_format')}
          <select
            className="me-input"
            value={format}
            onChange={({ target }) => setFormat(target.value as Export['format'])}
          >
            <option value="csv">{t('export_csv')}</option>
            <option value="json">{t('export_json')}</option>
            <option value="fhir">{t('export_fhir')}</option>
          </select>
        </label>
      </div>
      <div className="me-actions">
        <Button
          loading={create.isRunning}
          disabled={data === undefined || isMade(data)}
          onClick={create.run}
        >
          {t('export_start')}
        </Button>
      </div>
      <Problem error={create.error ?? error} />
      <ul className="me-entries">
        {data?.data.map((one) => (
          <ExportPart key={one.id} of={one} />
        ))}
      </ul>
    </section>
  )
}

function ExportPart({ of: one }: { of: Export }): ReactNode {
  const { t } = useTexts()
  const { client } = useMe()
  const formats = useFormats()
  const share = one.rows_total === 0 ? 0 : one.rows_written / one.rows_total
  const state = {
    queued: () => t('export_queued'),
    running: () => t('export_running', { percent: formats.percent(share) }),
    completed: () => t('export_completed', { size: formats.bytes(one.file_bytes ?? 0) }),
    failed: () => t('export_failed'),
  }[one.status]()
  return (
    <li>
      <strong role="status">{state}</strong>
      <span className="me-quiet">
        {one.format.toUpperCase()} · {t('export_expires', { date: formats.date(one.expires_at) })}
      </span>
      {one.status === 'completed' && (
        <a className="me-link" href={client.urlOf(`export/${one.id}/download`)} download>
          {t('export_download')}
        </a>
      )}
    </li>
  )
}

const isRead = ({ jobs }: { jobs: Import[] }): boolean =>
  jobs.some(({ status }) => status === 'queued' || status === 'running')

function Imports(): ReactNode {
  const { t } = useTexts()
  const { client } = useMe()
  const formats = useFormats()
  const { data, error, reload } = useLoad(client.listImports, { isUnderWay: isRead })
  const [share, setShare] = useState(0)
  const field = useRef<HTMLInputElement>(null)
  const sending = useChange(async (file: File) => {
    setShare(0)
    await client.importFile(file, setShare)
    reload()
  })
  return (
    <section className="me-card" aria-labelledby="import">
      <h2 id="import">{t('import_title')}</h2>
      <p>{t('import_what')}</p>
      <input
        ref={field}
        type="file"
        hidden
        aria-label={t('import_choose')}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file !== undefined) sending.run(file)
          target.value = ''
        }}
      />
      <div className="me-actions">
        <Button loading={sending.isRunning} onClick={() => field.current?.click()}>
          {t('import_choose')}
        </Button>
      </div>
      {sending.isRunning && (
        <p role="status">{t('import_uploading', { percent: formats.percent(share) })}</p>
      )}
      <Problem error={sending.error ?? error} />
      <ul className="me-entries">
        {data?.jobs.map((job) => (
          <ImportPart key={job.id} job={job} />
        ))}
      </ul>
    </section>
  )
}

function ImportPart({ job }: { job: Import }): ReactNode {
  const { t } = useTexts()
  const { access } = useMe()
  const formats = useFormats()
  const team = access.team.name
  const { progress, file_bytes: bytes, finished_at: at, created_at: begun } = job
  const share = bytes === 0 ? 0 : Math.min(progress.bytes_read / bytes, 1)
  const state = {
    queued: () => t('import_queued'),
    running: () => t('import_running', { percent: formats.percent(share) }),
    needs_options: () => t('import_needs_options', { team }),
    completed: () => t('import_completed', { date: formats.date(at ?? begun) }),
    failed: () => t('import_failed', { team }),
  }[job.status]()
  return (
    <li>
      <strong role="status">{state}</strong>
      <span className="me-quiet">
        {job.source?.replaceAll('_', ' ') ?? t('import_unknown')} · {formats.bytes(bytes)}
      </span>
    </li>
  )
}

function ErasureRequest(): ReactNode {
  const { t } = useTexts()
  const { client, access, setAccess, end } = useMe()
  const formats = useFormats()
  const team = access.team.name
  const ask = useChange(async () => {
    const { status, requested_at } = await client.requestErasure()
    if (status === 'scheduled') end('erase_scheduled')
    else setAccess({ ...access, erasure_requested_at: requested_at })
  })
  const withdraw = useChange(async () => {
    await client.withdrawErasure()
    setAccess({ ...access, erasure_requested_at: null })
  })
  const askedAt = access.erasure_requested_at
  return (
    <section className="me-card" aria-labelledby="erasure">
      <h2 id="erasure">{t('erase_title')}</h2>
      <p>{t('erase_what', { team })}</p>
      <Problem error={ask.error ?? withdraw.error} />
      {askedAt !== null && (
        <p role="status">
          <strong>{t('erase_asked', { team, date: formats.date(askedAt) })}</strong>
        </p>
      )}
      <div className="me-actions">
        {askedAt === null ? (
          <ConfirmButton
            label={t('erase_ask')}
            question={t('erase_sure', { team })}
            confirm={t('erase_sure_yes')}
            isRunning={ask.isRunning}
            onConfirm={ask.run}
          />
        ) : (
          <Button variant="outline" loading={withdraw.isRunning} onClick={withdraw.run}>
            {t('erase_withdraw')}
          </Button>
        )}
      </div>
    </section>
  )
}
