/// A check of `larder doctor`.
protocol DoctorCheckContract: Sendable {
    /// Runs the check. Returns at least one finding, even if there is no problem.
    func findings(for subject: DoctorSubject) async -> [DoctorFinding]
}
