//! Row files hold what they always held: digests of the rows of ten deals, one of each declaration, in both layouts.
//!
//! The digests were taken from row files written before rows were made 64 at a time.

use std::fs::File;

use noregret_dominoes::{Deal, Declaration, Layout, Table, Threads};
use noregret_store::Hasher;
use parquet::column::reader::{ColumnReader, get_typed_column_reader};
use parquet::data_type::{Int32Type, Int64Type};
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};

/// Seed, rows and digest in the to-go layout, rows and digest in the scored layout, by declaration.
const DEALS: [(u64, u64, &str, u64, &str); 10] = [
    (484, 2_035_278, "47678b947df6d3a149dec39391ae4a5a", 6_092_846, "e3751e6228ffc3afe11c300df363dab8"),
    (485, 2_427_105, "a3a83ae3504e81fff0be17476781ac97", 7_569_600, "26a4c3d7bf965cef4de9bbdad8254de3"),
    (511, 3_415_493, "bac7526ec1ecc0ebf229fa9534c60c4b", 9_070_265, "e343ea5205528250d3c213c4c4e6746c"),
    (489, 3_314_899, "cd06e472ec228081e7ace72d42eec4ce", 6_127_369, "4a6456835f6c82b3c0f6adb1d522764b"),
    (485, 4_412_662, "dd6f1ee468c5b341131ba4d81ec8fca5", 16_316_825, "90bd13c3f765d1477efedbe433117d00"),
    (506, 5_704_254, "31d53afa2297f4ff8b0ccb0038ee0928", 19_425_805, "1bd6dfec30b6b39f038eb8c0099de911"),
    (511, 2_922_723, "78a8da6c504a01fc0dcb49e88e84da13", 7_477_879, "7d71234062546a887794f255d20c186e"),
    (481, 5_626_198, "41537a13603c5921b36d240fc1fa3ead", 16_614_898, "8bdeb159e608deebcf84bfa1e7ec967b"),
    (484, 3_718_266, "f3e3da1b5b76285111bad8367ce522d1", 8_924_926, "3f488c9a3f3f438afbbf823c396b1e1f"),
    (511, 2_765_125, "4a0acd349f0f96ed04b9190542f43f76", 5_264_115, "7f72a6ea74b5fce2d3657fe253351419"),
];

fn written(table: &Table, layout: Layout) -> File {
    let mut file = tempfile::tempfile().unwrap();
    table.write_rows(None, layout, &mut file, |_| true).unwrap();
    file
}

fn values(group: &dyn RowGroupReader, column: usize) -> Vec<u8> {
    let reader: ColumnReader = group.get_column_reader(column).unwrap();
    let mut values = Vec::new();
    get_typed_column_reader::<Int32Type>(reader).read_records(usize::MAX, None, None, &mut values).unwrap();
    values.into_iter().map(|value| i8::try_from(value).unwrap() as u8).collect()
}

/// How many rows a file has, and a digest of them: eight bytes of the state, its value, those of the moves.
fn digest(file: File) -> (u64, String) {
    let reader = SerializedFileReader::new(file).unwrap();
    let (mut rows, mut hasher) = (0, Hasher::default());
    for number in 0..reader.num_row_groups() {
        let group = reader.get_row_group(number).unwrap();
        let mut states = Vec::new();
        let mut column = get_typed_column_reader::<Int64Type>(group.get_column_reader(0).unwrap());
        column.read_records(usize::MAX, None, None, &mut states).unwrap();
        let columns: Vec<Vec<u8>> = (1..9).map(|column| values(&*group, column)).collect();
        let mut bytes = Vec::with_capacity(16 * states.len());
        for (row, state) in states.iter().enumerate() {
            bytes.extend(state.to_le_bytes());
            bytes.extend(columns.iter().map(|column| column[row]));
        }
        hasher.update(&bytes);
        rows += states.len() as u64;
    }
    (rows, hasher.digest().to_string())
}

#[test]
fn the_rows_of_ten_deals_are_what_they_were() {
    for (number, (seed, to_go, to_go_digest, scored, scored_digest)) in (0..).zip(DEALS) {
        let declaration = Declaration::new(number).unwrap();
        let table = Table::solve(&Deal::from_seed(seed), declaration, Threads::Pool);
        let expected = [(Layout::ToGo, to_go, to_go_digest), (Layout::Scored, scored, scored_digest)];
        for (layout, rows, expected) in expected {
            let found = digest(written(&table, layout));
            assert_eq!(found, (rows, expected.to_owned()), "seed {seed}, {declaration}, {}", layout.name());
        }
    }
}

#[test]
fn the_bytes_of_a_row_file_do_not_depend_on_the_threads() {
    use std::io::{Read, Seek};
    let table = Table::solve(&Deal::from_seed(511), Declaration::new(9).unwrap(), Threads::Pool);
    let bytes = |threads: usize, layout: Layout| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut file = pool.install(|| written(&table, layout));
        let mut bytes = Vec::new();
        file.rewind().unwrap();
        file.read_to_end(&mut bytes).unwrap();
        bytes
    };
    for layout in [Layout::ToGo, Layout::Scored] {
        let one = bytes(1, layout);
        for threads in [2, 5] {
            assert!(bytes(threads, layout) == one, "{threads} threads, {}", layout.name());
        }
    }
}

#[test]
fn the_rows_of_seed_12_are_counted_and_sum_to_what_is_known() {
    let table = Table::solve(&Deal::from_seed(12), Declaration::NO_TRUMP, Threads::Pool);
    let reader = SerializedFileReader::new(written(&table, Layout::ToGo)).unwrap();
    let (mut rows, mut sum) = (0, 0);
    for number in 0..reader.num_row_groups() {
        let column = values(&*reader.get_row_group(number).unwrap(), 1);
        rows += column.len();
        sum += column.iter().map(|&value| i64::from(value as i8)).sum::<i64>();
    }
    assert_eq!((rows, sum), (8_609_564, 50_494_053));
}
