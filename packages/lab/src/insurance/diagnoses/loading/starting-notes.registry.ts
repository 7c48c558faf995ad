import type { NoteType } from '../diagnoses.schema.ts'

/** The code of a note, its type, and the codes that it excludes. */
type StartingNote = readonly [at: string, type: Exclude<NoteType, 'code_first'>, codes: string]

/**
 * Notes of ICD-10-CM at frequent codes of laboratory orders, a small part of the about 8,000 notes.
 * An operator loads all with the tabular list of CDC (docs/diagnosis-codes.md#notes).
 */
export const STARTING_NOTES: readonly StartingNote[] = [
  // Diabetes: one kind at a time, and no abnormal glucose beside it
  ['E08', 'excludes1', 'E09 E10 E11 E13 O24.4 P70.2'],
  ['E09', 'excludes1', 'E08 E10 E11 E13 O24.4 P70.2'],
  ['E10', 'excludes1', 'E08 E09 E11 E13 O24.4 P70.2 R73.9'],
  ['E11', 'excludes1', 'E08 E09 E10 E13 O24.4 P70.2'],
  ['E13', 'excludes1', 'E08 E09 E10 O24.4 P70.2'],
  ['R73', 'excludes1', 'E08-E13 O24 P70.0-P70.2 E89.1'],
  ['R73.0', 'excludes1', 'E88.81'],
  ['R79', 'excludes1', 'R73.9'],
  // Thyroid
  ['E03', 'excludes1', 'E00-E02 E89.0'],
  ['E05', 'excludes1', 'E06.2 P72.1'],
  ['E06', 'excludes1', 'O90.5'],
  // Lipids, vitamins, nutrition, fluids
  ['E78', 'excludes1', 'E75.0-E75.3'],
  ['E53.8', 'excludes1', 'D51 D52'],
  ['E55', 'excludes1', 'M80 M83 E64.3'],
  ['E61', 'excludes1', 'E83'],
  ['E61.1', 'excludes1', 'D50'],
  ['E83', 'excludes1', 'E55 E58-E61'],
  ['E66', 'excludes1', 'E23.6 E88.2 Q87.11'],
  ['R63.5', 'excludes1', 'E66'],
  ['E86', 'excludes1', 'P74.1 T81.19 T79.4'],
  ['E86', 'excludes2', 'R57.1'],
  ['E87', 'excludes1', 'E23.2 O21.1 O08.5 G72.3'],
  // Hormones
  ['E28', 'excludes1', 'E23.0 E89.4'],
  ['E29', 'excludes1', 'E34.5 E23.0 N46.0-N46.1 Q98.0-Q98.1 Q98.4'],
  ['N91', 'excludes1', 'E28'],
  ['N92', 'excludes1', 'E30.1 N95.0'],
  ['N97', 'excludes1', 'E28.2'],
  // Blood
  ['D51', 'excludes1', 'E53.8'],
  ['D52', 'excludes1', 'E53.8'],
  ['D64', 'excludes1', 'D46 C92.0'],
  ['D70', 'excludes1', 'D73.81 P61.5'],
  ['D72', 'excludes1', 'D70 D46.9 D80-D89'],
  // Heart and vessels
  ['I10', 'excludes1', 'O10-O11 O13-O16'],
  ['I10', 'excludes2', 'I60-I69 H35.0'],
  ['I12', 'excludes1', 'I15'],
  ['I12', 'excludes2', 'N17'],
  ['I15', 'excludes1', 'I97.3'],
  ['I50', 'excludes1', 'P29.0'],
  ['I50', 'excludes2', 'I46'],
  // Infections
  ['B20', 'excludes1', 'R75 Z20.6 Z21'],
  ['Z21', 'excludes1', 'B20 R75 Z20.6'],
  ['R75', 'excludes1', 'B20 Z21'],
  ['A56', 'excludes1', 'P23.1 P39.1'],
  ['A56', 'excludes2', 'A55 A74'],
  ['A74', 'excludes1', 'A55-A56'],
  ['A50-A64', 'excludes1', 'B20'],
  ['R50', 'excludes1', 'R56.0 R68.83 R68.0 O75.2 O86.4 P81.9 T88.3'],
  // Airways
  ['J00', 'excludes1', 'J02 J31.0'],
  ['J00', 'excludes2', 'J30.0-J30.9 J31.1 J31.2'],
  ['J02', 'excludes1', 'J06.0 J36 J39.0 J39.1'],
  ['J02', 'excludes2', 'J31.2'],
  ['J06', 'excludes1', 'J02.0 J22 J09.X2 J10.1 J11.1'],
  ['J02.9', 'excludes1', 'J11.1'],
  ['J30', 'excludes1', 'J45.909'],
  ['J20', 'excludes1', 'J40'],
  ['J20', 'excludes2', 'J41.0 J41.1 J42 J68.0'],
  ['J45', 'excludes1', 'J60 J67.8 J69.8 R06.2'],
  ['J45', 'excludes2', 'J44.9'],
  ['J44', 'excludes1', 'J41 J42 J43 J47'],
  // Liver and digestion
  ['K21', 'excludes1', 'P78.83'],
  ['K70', 'excludes1', 'R17'],
  ['K70', 'excludes2', 'B15-B19 E83.0 E83.11 G93.7'],
  ['K72', 'excludes1', 'K70.4 K71.1 K91.82 P55-P59'],
  ['K72', 'excludes2', 'B15-B19 O08.8 O26.6'],
  ['K76', 'excludes2', 'K70 K71 E85 R16.0 I81 Q44.6'],
  ['K50', 'excludes1', 'K51'],
  ['K51', 'excludes1', 'K50'],
  ['K50-K52', 'excludes1', 'K58'],
  // Kidneys and urinary tract
  ['N17', 'excludes1', 'T79.5'],
  ['N39.0', 'excludes1', 'B37.4 N30 N34 P39.3 R82.81'],
  ['N20', 'excludes1', 'E83.5'],
  ['R31', 'excludes1', 'N02 N30.01'],
  ['N40', 'excludes1', 'D29.1'],
  ['N40', 'excludes2', 'C61'],
  // Joints and bones
  ['M1A', 'excludes1', 'M10'],
  ['M79.1', 'excludes1', 'M79.7'],
  ['M05', 'excludes1', 'I00 M08 M45'],
  ['M32', 'excludes1', 'L93.0'],
  ['M81', 'excludes1', 'M80 M89.0'],
  // Mood
  ['F31', 'excludes1', 'F30 F32 F33'],
  ['F31', 'excludes2', 'F34.0'],
  ['F32', 'excludes1', 'F30 F31 F33'],
  ['F32', 'excludes2', 'F43.2'],
  ['F33', 'excludes1', 'F30 F31'],
  ['F41', 'excludes2', 'F43.0 F43.2 F45'],
  // Symptoms and encounters
  ['R10', 'excludes1', 'N23'],
  ['R42', 'excludes1', 'H81 T75.23'],
  ['R51', 'excludes2', 'G43-G44 G50.0 G50.1'],
  ['G43', 'excludes1', 'R51.9'],
  ['R63', 'excludes1', 'F50.2'],
  ['Z00', 'excludes1', 'Z02 Z30-Z36 Z39'],
  ['Z00', 'excludes2', 'Z01.81 Z11-Z13'],
  ['Z00-Z13', 'excludes1', 'Z30-Z36'],
  ['Z01', 'excludes1', 'Z00.0 Z02'],
  ['Z01.41', 'excludes1', 'Z12.4'],
  ['Z12.4', 'excludes1', 'Z01.4'],
  ['Z13.29', 'excludes1', 'Z13.1'],
  ['Z31', 'excludes1', 'N46 N97'],
  ['Z34', 'excludes1', 'Z32.0'],
]
