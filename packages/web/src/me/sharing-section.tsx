import { Button } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { useTexts } from './language.ts'
import type { Kind, Share } from './me-client.ts'
import { useFormats, useMe } from './me-context.ts'
import { Loading, Problem, SectionTitle } from './parts.tsx'
import { useChange, useLoad } from './use-load.ts'

const KINDS: readonly Kind[] = ['activity', 'sleep', 'heart', 'body', 'glucose', 'results']
const DAYS = [1, 7, 30, 90, 365] as const

/** Links by which other people can read a part of the data. */
export function SharingSection(): ReactNode {
  const { t } = useTexts()
  const { client } = useMe()
  const { data, error, reload } = useLoad(client.listShares)
  const [made, setMade] = useState<Share & { url: string }>()
  return (
    <>
      <SectionTitle>{t('sharing_title')}</SectionTitle>
      <p>{t('sharing_what')}</p>
      {made !== undefined && <MadeLink share={made} />}
      <NewShare
        onMade={(share) => {
          setMade(share)
          reload()
        }}
      />
      <Problem error={error} onRetry={reload} />
      {data === undefined && error === undefined && <Loading />}
      {data?.data.length === 0 && <p className="me-quiet">{t('sharing_none')}</p>}
      {data !== undefined && data.data.length > 0 && (
        <ul className="me-list">
          {data.data.map((share) => (
            <SharePart key={share.id} share={share} onChange={reload} />
          ))}
        </ul>
      )}
    </>
  )
}

function MadeLink({ share }: { share: Share & { url: string } }): ReactNode {
  const { t } = useTexts()
  const [isCopied, setCopied] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const copy = (): void => {
    field.current?.select()
    navigator.clipboard?.writeText(share.url).then(
      () => setCopied(true),
      () => undefined,
    )
  }
  return (
    <div className="me-card me-made" role="status">
      <p>{t('sharing_made', { label: share.label })}</p>
      <div className="me-copy">
        <input
          ref={field}
          className="me-input"
          aria-label={t('sharing_link', { label: share.label })}
          value={share.url}
          readOnly
          onFocus={({ target }) => target.select()}
        />
        <Button onClick={copy}>{isCopied ? t('sharing_copied') : t('sharing_copy')}</Button>
      </div>
    </div>
  )
}

function NewShare({ onMade }: { onMade: (share: Share & { url: string }) => void }): ReactNode {
  const { t } = useTexts()
  const { client } = useMe()
  const [label, setLabel] = useState('')
  const [kinds, setKinds] = useState<readonly Kind[]>([])
  const [days, setDays] = useState(30)
  const [isChecked, setChecked] = useState(false)
  const create = useChange(async () => {
    const share = await client.createShare({ label, kinds: [...kinds], expires_in_days: days })
    onMade(share)
    setLabel('')
    setKinds([])
    setChecked(false)
  })
  const isNamed = label.trim() !== ''
  const problem = !isNamed
    ? t('sharing_name_missing')
    : kinds.length === 0
      ? t('sharing_choose')
      : undefined
  return (
    <form
      className="me-card me-form"
      aria-label={t('sharing_new')}
      onSubmit={(event) => {
        event.preventDefault()
        setChecked(true)
        if (problem === undefined) create.run()
      }}
    >
      <h2>{t('sharing_new')}</h2>
      <label>
        {t('sharing_label')}
        <input
          className="me-input"
          value={label}
          maxLength={100}
          autoComplete="off"
          aria-describedby="share-label-hint"
          onChange={({ target }) => setLabel(target.value)}
        />
      </label>
      <p id="share-label-hint" className="me-quiet">
        {t('sharing_label_hint')}
      </p>
      <KindChoice chosen={kinds} onChange={setKinds} />
      <label>
        {t('sharing_until')}
        <select
          className="me-input"
          value={days}
          onChange={({ target }) => setDays(Number(target.value))}
        >
          {DAYS.map((count) => (
            <option key={count} value={count}>
              {count === 1 ? t('sharing_days_one') : t('sharing_days', { count: String(count) })}
            </option>
          ))}
        </select>
      </label>
      {isChecked && problem !== undefined && (
        <p className="me-outside" role="alert">
          {problem}
        </p>
      )}
      <Problem error={create.error} />
      <div className="me-actions">
        <Button type="submit" loading={create.isRunning}>
          {t('sharing_create')}
        </Button>
      </div>
    </form>
  )
}

interface KindChoiceProps {
  chosen: readonly Kind[]
  onChange: (kinds: readonly Kind[]) => void
}

function KindChoice({ chosen, onChange }: KindChoiceProps): ReactNode {
  const { t } = useTexts()
  return (
    <fieldset>
      <legend>{t('sharing_kinds')}</legend>
      {KINDS.map((kind) => (
        <label key={kind} className="me-check">
          <input
            type="checkbox"
            checked={chosen.includes(kind)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, kind] : chosen.filter((one) => one !== kind))
            }
          />
          {t(`kind_${kind}`)}
        </label>
      ))}
    </fieldset>
  )
}

function SharePart({ share, onChange }: { share: Share; onChange: () => void }): ReactNode {
  const { t } = useTexts()
  const { client } = useMe()
  const formats = useFormats()
  const revoke = useChange(async () => {
    await client.revokeShare(share.id)
    onChange()
  })
  const state =
    share.status === 'active'
      ? t('sharing_active', { date: formats.date(share.expires_at) })
      : share.status === 'expired'
        ? t('sharing_expired', { date: formats.date(share.expires_at) })
        : t('sharing_revoked', { date: formats.date(share.revoked_at ?? share.expires_at) })
  const used =
    share.last_used_at === null
      ? t('sharing_unused')
      : t('sharing_used', { date: formats.date(share.last_used_at) })
  return (
    <li className="me-card">
      <h2>{share.label}</h2>
      <p>{formats.list(share.kinds.map((kind) => t(`kind_${kind}`)))}</p>
      <p className="me-quiet">
        {state} · {used}
      </p>
      <Problem error={revoke.error} />
      {share.status === 'active' && (
        <div className="me-actions">
          <Button variant="outline" loading={revoke.isRunning} onClick={revoke.run}>
            {t('sharing_revoke')}
          </Button>
        </div>
      )}
    </li>
  )
}
