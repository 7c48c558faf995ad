/**
 * Columns by their names in English, German, Spanish, French and Portuguese, as exports of accounts
 * in these languages write them: in lower case, without accents and signs, `%` as `pct`.
 */
const NAMES = {
  cycleStart:
    'cycle start time|startzeit des zyklus|hora de inicio del ciclo|heure de debut du cycle|hora de inicio do ciclo',
  cycleEnd:
    'cycle end time|endzeit des zyklus|hora de finalizacion del ciclo|heure de fin du cycle|hora de fim do ciclo',
  zone: 'cycle timezone|cycle time zone|zeitzone des zyklus|zona horaria del ciclo|fuseau horaire du cycle|fuso horario do ciclo',
  recovery:
    'recovery score pct|erholungswert pct|puntuacion de recuperacion pct|score de recuperation pct|pontuacao de recuperacao pct',
  resting:
    'resting heart rate bpm|ruheherzfrequenz schlage pro minute|frecuencia cardiaca en reposo lpm|frequence cardiaque au repos bpm|frequencia cardiaca em repouso bpm',
  variability:
    'heart rate variability ms|herzfrequenzvariabilitat ms|variabilidad de la frecuencia cardiaca ms|variabilite de la frequence cardiaque ms|variabilidade da frequencia cardiaca ms',
  skinCelsius:
    'skin temp celsius|hauttemperatur celsius|temp cutanea grados centigrados|temp cutanea celsius|temperature cutanee celsius|temp da pele celsius',
  skinFahrenheit: 'skin temp f|skin temp fahrenheit',
  oxygen:
    'blood oxygen pct|blutsauerstoff pct|oxigeno en sangre pct|niveau d oxygene pct|pct de oxigenio no sangue',
  energy:
    'energy burned cal|verbrannte energie cal|energia quemada cal|depense energetique cal|energia queimada cal',
  maximumRate: 'max hr bpm|max hf schlage pro minute|fc max lpm|fc max bpm',
  meanRate:
    'average hr bpm|durchschnittliche hf schlage pro minute|fc promedio lpm|fc moyenne bpm|fc media bpm',
  onset:
    'sleep onset|beginn des schlafs|inicio del sueno|premiers signes de sommeil|inicio do sono',
  wake: 'wake onset|beginn des aufwachens|inicio de la vigilia|premiers signes de reveil|inicio da vigilia',
  performance:
    'sleep performance pct|schlafleistung pct|calificacion del sueno pct|performance sommeil pct|desempenho do sono pct',
  breaths:
    'respiratory rate rpm|atemfrequenz atemzuge min|frecuencia respiratoria rpm|frequence respiratoire tr min|frequencia respiratoria rpm',
  asleep:
    'asleep duration min|schlafdauer min|duracion del sueno min|duree du sommeil min|duracao do sono min',
  light:
    'light sleep duration min|dauer des leichtschlafs min|duracion de sueno ligero min|duree du sommeil leger min|duracao do sono leve min',
  deep: 'deep sws duration min|dauer des tiefschlafs min|duracion de sueno profundo sws min|duree du sommeil profond min|duracao profundo sono min',
  rem: 'rem duration min|dauer des rem schlafs min|duracion de sueno rem min|duree du sommeil paradoxal min|duracao rem min',
  awake:
    'awake duration min|dauer des aufwachens min|tempo despierto a min|tiempo despierto a min|temps d eveil min|duracao de vigilia min',
  efficiency:
    'sleep efficiency pct|schlafeffizienz pct|eficiencia del sueno pct|efficacite du sommeil pct|eficacia do sono pct',
  nap: 'nap|nickerchen|siesta|sieste|sesta',
  workoutStart:
    'workout start time|startzeit des trainings|hora de inicio del entrenamiento|heure de debut de l entrainement|hora de inicio do treino',
  workoutEnd:
    'workout end time|endzeit des trainings|hora de finalizacion del entrenamiento|heure de fin de l entrainement|hora de fim do treino',
  activity:
    'activity name|name der aktivitat|nombre de la actividad|nom de l activite|nome da atividade',
  zone1: 'hr zone 1 pct|hf zone 1 pct|zona fc 1 pct|zone fc 1 pct|zona 1 de fc pct',
  zone2: 'hr zone 2 pct|hf zone 2 pct|zona fc 2 pct|zone fc 2 pct|zona 2 de fc pct',
  zone3: 'hr zone 3 pct|hf zone 3 pct|zona fc 3 pct|zone fc 3 pct|zona 3 de fc pct',
  zone4: 'hr zone 4 pct|hf zone 4 pct|zona fc 4 pct|zone fc 4 pct|zona 4 de fc pct',
  zone5: 'hr zone 5 pct|hf zone 5 pct|zona fc 5 pct|zone fc 5 pct|zona 5 de fc pct',
  meters: 'distance meters',
  gain: 'altitude gain meters',
  question: 'question text|fragetext|texto de la pregunta|texte de la question|texto de pergunta',
} as const

export type WhoopColumn = keyof typeof NAMES

const COLUMN_OF = new Map(
  Object.entries(NAMES).flatMap(([column, names]) =>
    names.split('|').map((name) => [name, column as WhoopColumn] as const),
  ),
)

const plainName = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('%', ' pct ')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

/** Returns the positions of the known columns of a head row. */
export function findColumns(head: readonly string[]): Map<WhoopColumn, number> {
  const columns = new Map<WhoopColumn, number>()
  for (const [index, name] of head.entries()) {
    const column = COLUMN_OF.get(plainName(name))
    if (column !== undefined && !columns.has(column)) columns.set(column, index)
  }
  return columns
}

/** A kind of table of the export. */
export type WhoopKind = 'cycles' | 'sleeps' | 'workouts' | 'journal'

/** Returns the kind of a table by its columns; undefined for another table. */
export function kindOf(columns: ReadonlyMap<WhoopColumn, number>): WhoopKind | undefined {
  const has = (...names: WhoopColumn[]) => names.every((name) => columns.has(name))
  if (!has('zone')) return undefined
  if (has('workoutStart', 'workoutEnd')) return 'workouts'
  if (!has('cycleStart')) return undefined
  if (has('question')) return 'journal'
  if (has('nap', 'onset', 'wake')) return 'sleeps'
  // Recovery and energy belong to a cycle alone.
  if (has('recovery') || has('energy')) return 'cycles'
  return has('onset', 'wake') ? 'sleeps' : undefined
}
