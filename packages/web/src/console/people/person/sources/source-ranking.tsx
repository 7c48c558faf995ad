import { useSuspenseQueries, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useEnvironment } from '../../../api/environment.ts'
import { Section } from '../../../components/page.tsx'
import { personPrioritiesQuery, teamPrioritiesQuery } from '../../../priorities/priority-queries.ts'
import { providersQuery } from '../person-queries.ts'
import { resourceTitle } from '../resource-title.ts'
import { sourceTypeTitle } from './source-words.ts'

interface Rule {
  key: string
  of: string
  source: string
  priority: number
}

/** Shows the priority rules of sources: the person's own before those of the team. */
export function SourceRanking({ userId }: { userId: string }): ReactNode {
  const environment = useEnvironment()
  const { data: providers } = useSuspenseQuery(providersQuery(environment))
  const [own, ofTeam] = useSuspenseQueries({
    queries: [personPrioritiesQuery(environment, userId), teamPrioritiesQuery(environment)],
  })
  const toRule = (
    of: string | null,
    slug: string,
    type: string | null,
    app: string | null,
    priority: number,
  ): Rule => {
    const parts = [providers.get(slug)?.name ?? slug, sourceTypeTitle(type ?? 'unknown'), app ?? '']
    const what = of === null ? 'All data' : resourceTitle(of)
    const source = parts.filter((part) => part !== '').join(', ')
    return { key: `${of} ${source}`, of: what, source, priority }
  }
  const ownRules = own.data.map((rule) =>
    toRule(rule.resource, rule.provider, rule.source_type, rule.app_id, rule.priority),
  )
  const teamRules = ofTeam.data
    .filter(({ priority }) => priority !== 0)
    .map((rule) =>
      toRule(rule.resource ?? rule.data_type, rule.slug, rule.source_type, null, rule.priority),
    )
  return (
    <Section
      title="Source priorities"
      description="A larger number takes precedence. Without a rule the type of device decides: laboratories and sensors before watches, rings and scales, and those before phones and apps."
    >
      <RuleList title="For this person" rules={ownRules} none="No rules for this person." />
      <RuleList title="For the whole team" rules={teamRules} none="No rules of the team." />
    </Section>
  )
}

function RuleList({
  title,
  rules,
  none,
}: {
  title: string
  rules: Rule[]
  none: string
}): ReactNode {
  return (
    <div className="ranking">
      <h3>{title}</h3>
      {rules.length === 0 ? (
        <p className="quiet">{none}</p>
      ) : (
        <ul>
          {rules
            .toSorted((one, other) => other.priority - one.priority)
            .map((rule) => (
              <li key={rule.key}>
                <span className="ranking-priority">{rule.priority}</span>
                <span>{rule.source}</span>
                <span className="quiet">{rule.of}</span>
              </li>
            ))}
        </ul>
      )}
    </div>
  )
}
