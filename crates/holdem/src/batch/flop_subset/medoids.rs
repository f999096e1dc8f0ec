//! Clusters around some of the points themselves.

use rayon::prelude::*;

/// A point and those that it stands for, itself among them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cluster {
    pub medoid: usize,
    pub members: Vec<usize>,
}

/// `count` clusters of weighted points, chosen so that points are near to their medoids. Of equals the first is taken.
pub fn cluster(points: &[Vec<f64>], weights: &[f64], count: usize) -> Vec<Cluster> {
    let distances = Distances::new(points);
    let mut medoids = greedy(&distances, weights, count.clamp(1, points.len()));
    // Each round brings the points nearer to their medoids, so there is a last one; the limit is for rounding.
    for _ in 0..100 {
        let clusters = assign(&distances, &medoids);
        let moved: Vec<usize> = clusters.iter().map(|cluster| centre(&distances, weights, cluster)).collect();
        if moved == medoids {
            break;
        }
        medoids = moved;
    }
    assign(&distances, &medoids)
}

/// The squared distance of each point to each other.
struct Distances {
    count: usize,
    squares: Vec<f32>,
}

impl Distances {
    fn new(points: &[Vec<f64>]) -> Self {
        let square =
            |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>() as f32;
        let row = |a: &Vec<f64>| points.iter().map(|b| square(a, b)).collect::<Vec<_>>();
        let squares: Vec<Vec<f32>> = points.par_iter().map(row).collect();
        Self { count: points.len(), squares: squares.concat() }
    }

    fn from(&self, point: usize) -> &[f32] {
        &self.squares[point * self.count..][..self.count]
    }
}

/// Medoids one by one, each where it brings the points nearest to some medoid.
fn greedy(distances: &Distances, weights: &[f64], count: usize) -> Vec<usize> {
    let mut nearest = vec![f32::MAX; distances.count];
    let mut medoids: Vec<usize> = Vec::new();
    while medoids.len() < count {
        let left = |point: usize| -> f64 {
            let row = distances.from(point).iter().zip(&nearest).zip(weights);
            row.map(|((to, nearest), weight)| f64::from(to.min(*nearest)) * weight).sum()
        };
        let open: Vec<usize> = (0..distances.count).filter(|point| !medoids.contains(point)).collect();
        let sums: Vec<f64> = open.par_iter().map(|&point| left(point)).collect();
        let Some((best, _)) = open.iter().zip(sums).min_by(|a, b| a.1.total_cmp(&b.1)) else { break };
        medoids.push(*best);
        for (nearest, to) in nearest.iter_mut().zip(distances.from(*best)) {
            *nearest = nearest.min(*to);
        }
    }
    medoids
}

/// Every point with its nearest medoid; a medoid with itself, even if another is at the same place.
fn assign(distances: &Distances, medoids: &[usize]) -> Vec<Cluster> {
    let mut clusters: Vec<Cluster> =
        medoids.iter().map(|&medoid| Cluster { medoid, members: Vec::new() }).collect();
    for point in 0..distances.count {
        let row = distances.from(point);
        let nearest = (0..medoids.len()).min_by(|&a, &b| row[medoids[a]].total_cmp(&row[medoids[b]]));
        let own = medoids.iter().position(|&medoid| medoid == point);
        if let Some(place) = own.or(nearest) {
            clusters[place].members.push(point);
        }
    }
    clusters
}

/// The member that is nearest to all members.
fn centre(distances: &Distances, weights: &[f64], cluster: &Cluster) -> usize {
    let sum = |&point: &usize| -> f64 {
        let row = distances.from(point);
        cluster.members.iter().map(|&member| f64::from(row[member]) * weights[member]).sum()
    };
    let best = cluster.members.iter().map(|point| (sum(point), *point)).min_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or(cluster.medoid, |(_, point)| point)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn groups_that_are_apart_are_found() {
        let points: Vec<Vec<f64>> = [0.0, 0.1, 0.2, 5.0, 5.1, 9.0].iter().map(|&x| vec![x]).collect();
        let mut clusters = cluster(&points, &[1.0; 6], 3);
        clusters.sort_by_key(|cluster| cluster.medoid);
        let members: Vec<&[usize]> = clusters.iter().map(|cluster| &cluster.members[..]).collect();
        assert_eq!(members, [&[0, 1, 2][..], &[3, 4], &[5]]);
        assert_eq!(clusters[0].medoid, 1);
        // A heavy point draws its medoid.
        let clusters = cluster(&points, &[100.0, 1.0, 1.0, 1.0, 1.0, 1.0], 3);
        assert!(clusters.iter().any(|cluster| cluster.medoid == 0));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn every_point_is_in_one_cluster_with_its_nearest_medoid(
            points in prop::collection::vec(prop::collection::vec(-9.0f64..9.0, 2), 1..40),
            count in 1usize..50,
        ) {
            let clusters = cluster(&points, &vec![1.0; points.len()], count);
            prop_assert_eq!(clusters.len(), count.min(points.len()));
            let mut all: Vec<usize> = clusters.iter().flat_map(|cluster| cluster.members.clone()).collect();
            all.sort_unstable();
            prop_assert_eq!(all, (0..points.len()).collect::<Vec<_>>());
            let square = |a: usize, b: usize| points[a].iter().zip(&points[b]).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
            for cluster in &clusters {
                prop_assert!(cluster.members.contains(&cluster.medoid));
                for &member in &cluster.members {
                    let nearest = clusters.iter().map(|other| square(member, other.medoid)).fold(f64::MAX, f64::min);
                    prop_assert!(square(member, cluster.medoid) <= nearest + 1e-4);
                }
            }
        }
    }
}
