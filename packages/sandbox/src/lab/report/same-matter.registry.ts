/**
 * LOINC codes of results that belong together: a report in which one of them is abnormal and the
 * others are not contradicts itself.
 */
const MATTERS: readonly string[] = [
  // HIV: screen, antibodies, RNA as copies and as logarithm
  '56888-1 31201-7 48345-3 7918-6 29893-5 20447-9 29541-0 25836-8',
  // Hepatitis C: antibodies and RNA
  '13955-0 16128-1 11011-4 20416-4 47252-2',
  // Hepatitis B: surface antigen and its confirmation
  '5196-1 5195-3 65633-0',
  // Syphilis
  '20507-0 5292-8 31147-2 22587-0 47238-1 24110-9 24312-1',
  // Antinuclear antibodies
  '8061-4 5048-4 29953-7',
  // Chlamydia, gonorrhea
  '43304-5 42931-6 21613-5',
  '43305-2 60256-5 24111-7',
  // Pregnancy
  '19080-1 21198-7 30243-0 45194-8 2106-3 2118-8 2110-5 2112-1',
  // Protein of urine by strip and measured
  '20454-5 5804-0 2888-6 14957-5 1754-1 30003-8',
  // Blood of urine by strip and microscope
  '5794-3 13945-1 5808-1',
  // Infection of the urinary tract by strip and microscope
  '5799-2 5802-4 5821-4 5769-5 25145-4',
]

const matterOf = new Map(
  MATTERS.flatMap((codes, matter) => codes.split(' ').map((code) => [code, matter] as const)),
)

/** Returns the group of a result, if other results belong to it too. */
export function findMatter(loinc: string | null): number | undefined {
  return loinc === null ? undefined : matterOf.get(loinc)
}
