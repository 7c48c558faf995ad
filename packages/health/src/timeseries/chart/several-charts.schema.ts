import { TextEnum } from '@salus/contracts/schema-types'
import { SERIES } from '@salus/contracts/series'
import Type from 'typebox'
import { Chart, ChartQuery } from './chart.schema.ts'
import { hasChart } from './chart-lines.ts'

/** Names of the series that have a chart. */
const CHARTED = SERIES.filter(hasChart).map(({ name }) => name)
/** A page shows few charts, each in one or two stretches of time. */
const MOST_CHARTS = 50

export const SeveralCharts = Type.Object(
  {
    charts: Type.Array(
      Type.Object(
        {
          resource: TextEnum(CHARTED, { description: 'Series of the chart.' }),
          ...ChartQuery.properties,
        },
        { title: 'ChartRequest' },
      ),
      { minItems: 1, maxItems: MOST_CHARTS, description: 'Charts to return.' },
    ),
  },
  { title: 'SeveralCharts' },
)
export type SeveralCharts = Type.Static<typeof SeveralCharts>

export const ChartAnswers = Type.Object({ data: Type.Array(Chart) }, { title: 'ChartAnswers' })
export type ChartAnswers = Type.Static<typeof ChartAnswers>
