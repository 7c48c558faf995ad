import { type ReactNode, useEffect, useRef, useState } from 'react'
import { AccessSection } from './access-section.tsx'
import { ConnectionsSection } from './connections-section.tsx'
import { DataSection } from './data-section.tsx'
import { FilesSection } from './files-section.tsx'
import { useTexts } from './language.ts'
import { useFormats, useMe } from './me-context.ts'
import { ResultsSection } from './results-section.tsx'
import { SharingSection } from './sharing-section.tsx'

const SECTIONS = {
  data: DataSection,
  results: ResultsSection,
  connections: ConnectionsSection,
  sharing: SharingSection,
  access: AccessSection,
  files: FilesSection,
} as const
type SectionName = keyof typeof SECTIONS

const isSection = (name: string): name is SectionName => name in SECTIONS

/** The sections of the page: all of the person, or those that a share includes. */
function useSections(): SectionName[] {
  const { access } = useMe()
  const all = Object.keys(SECTIONS) as SectionName[]
  if (access.share === null) return all
  const hasResults = access.share.kinds.includes('results')
  const hasData = access.share.kinds.some((kind) => kind !== 'results')
  return [...(hasData ? (['data'] as const) : []), ...(hasResults ? (['results'] as const) : [])]
}

export function MePage(): ReactNode {
  const { access } = useMe()
  const sections = useSections()
  const [name, setName] = useState<SectionName>(() => {
    const named = location.hash.slice(1)
    if (isSection(named) && sections.includes(named)) return named
    return access.order_id !== null ? 'results' : (sections[0] ?? 'data')
  })
  const select = (next: SectionName): void => {
    // The base of addresses is that of the deployment, not of this page.
    history.replaceState(history.state, '', `${location.pathname}#${next}`)
    setName(next)
  }
  const Section = SECTIONS[name]
  return (
    <div className="me">
      <Head />
      <Sections names={sections} selected={name} onSelect={select} />
      <main className="me-main" key={name}>
        <Section />
      </main>
    </div>
  )
}

function Head(): ReactNode {
  const { t } = useTexts()
  const { access, client, end } = useMe()
  const formats = useFormats()
  const { team, share } = access
  return (
    <header className="me-head">
      <div className="me-team">
        {team.logo_url !== null && <img src={team.logo_url} alt="" referrerPolicy="no-referrer" />}
        <span className="me-team-name">{team.name}</span>
        {access.environment === 'sandbox' && <span className="me-badge">{t('sandbox')}</span>}
        <button
          type="button"
          className="me-quiet-button"
          onClick={() => client.signOut().finally(() => end('signed_out'))}
        >
          {t('sign_out')}
        </button>
      </div>
      {share !== null && (
        <p className="me-banner">
          {t('share_banner', { label: share.label, date: formats.date(share.expires_at) })}
        </p>
      )}
    </header>
  )
}

interface SectionsProps {
  names: readonly SectionName[]
  selected: SectionName
  onSelect: (name: SectionName) => void
}

function Sections({ names, selected, onSelect }: SectionsProps): ReactNode {
  const { t } = useTexts()
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current
      ?.querySelector(`[data-section="${selected}"]`)
      ?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [selected])
  if (names.length < 2) return null
  return (
    <nav className="me-nav" aria-label={t('nav')}>
      <ul ref={list}>
        {names.map((name) => (
          <li key={name}>
            <button
              type="button"
              data-section={name}
              aria-current={name === selected ? 'page' : undefined}
              onClick={() => onSelect(name)}
            >
              {t(`nav_${name}`)}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}
